import { createHash } from 'node:crypto';
import { hundredths, integer, list, object, text } from '../json/build.ts';
import type { JsonValue } from '../json/value.ts';
import { MAX_ENCRYPT_ID_LENGTH } from '../protocol/limits.ts';
import { MOBILE_NUMBER_INVALID, VEHICLE_TYPE_INVALID } from '../protocol/result-codes.ts';
import type { FormFile } from '../server/form.ts';
import { badRequest } from '../server/request-body.ts';
import { valueText } from '../signing/value-text.ts';
import { decryptParameters } from './encryption.ts';
import { CAR_TYPES, type CarType, type Draw, drawDiscount, fare, seededDraw } from './fares.ts';
import {
  degrees,
  type Fields,
  failure,
  field,
  type OperationHandler,
  requiredText,
  success,
  textField,
} from './operation.ts';

/** The highest latitude and longitude, in degrees. */
const [LATITUDE, LONGITUDE] = [90, 180];

/** Degrees north and east. */
interface Point {
  readonly lat: number;
  readonly lon: number;
}

/**
 * `/takecar/estimate/price` (D1 4.3, which shows only `city` and `lat`): the price of a ride from
 * `slat`, `slon`, or else `lat` and `lng` or `lon`, to `dlat`, `dlon`. Without a start or a
 * destination, the distance is random. The same request always gets the same answer.
 */
export const estimateOperation: OperationHandler = async (fields) => {
  const city = requiredText(fields, 'city');
  const { lat, start, destination } = places(fields);
  const asked = field(fields, 'car_type');
  const wanted = CAR_TYPES.filter(
    ({ id }) => asked === undefined || (asked.kind === 'string' && asked.value === id),
  );
  if (wanted.length === 0) return failure(VEHICLE_TYPE_INVALID);

  // A separate generator for each type: its price does not depend on the other types.
  const drawFor = (subject: string): Draw =>
    seededDraw(seedOf([subject, city, lat, start, destination]));
  const distance =
    start && destination
      ? Math.round(kilometres(start, destination) * 100)
      : 200 + drawFor('distance')(2800);
  const kmPerHour = 18 + drawFor('speed')(23);
  return success(
    object({
      city: text(city),
      currency: text('CNY'),
      distance_km: hundredths(distance),
      duration_min: integer(Math.max(1, Math.round((distance * 0.6) / kmPerHour))),
      estimates: list(wanted.map((car) => estimate(car, distance, drawFor(car.id)))),
    }),
  );
};

/** @param distance In units of 10 m. */
function estimate(car: CarType, distance: number, draw: Draw): JsonValue {
  const price = fare(car, distance);
  const discount = drawDiscount(draw, price);
  return object({
    car_type: text(car.id),
    name: text(car.name),
    base_price: hundredths(car.baseCents),
    price_per_km: hundredths(car.centsPerKm),
    price: hundredths(price),
    discount: hundredths(discount),
    final_price: hundredths(price - discount),
  });
}

function places(fields: Fields) {
  // Read all fields, to check each.
  const [lat, slat, dlat] = ['lat', 'slat', 'dlat'].map((name) => degrees(fields, name, LATITUDE));
  const [lng, lon, slon, dlon] = ['lng', 'lon', 'slon', 'dlon'].map((name) =>
    degrees(fields, name, LONGITUDE),
  );
  if (lat === undefined) throw badRequest('lat is missing');
  return {
    lat,
    start: point(slat, slon) ?? point(lat, lng ?? lon),
    destination: point(dlat, dlon),
  };
}

function point(lat: number | undefined, lon: number | undefined): Point | undefined {
  return lat === undefined || lon === undefined ? undefined : { lat, lon };
}

const EARTH_RADIUS_KM = 6371;

/** The distance of two points along the surface (haversine). */
function kilometres(a: Point, b: Point): number {
  const radians = (degrees: number): number => (degrees * Math.PI) / 180;
  const hav = (angle: number): number => Math.sin(angle / 2) ** 2;
  const h =
    hav(radians(b.lat - a.lat)) +
    Math.cos(radians(a.lat)) * Math.cos(radians(b.lat)) * hav(radians(b.lon - a.lon));
  return 2 * EARTH_RADIUS_KM * Math.asin(Math.sqrt(Math.min(1, h)));
}

function seedOf(value: unknown): number {
  return createHash('sha256').update(JSON.stringify(value)).digest().readInt32BE();
}

/** `/param/decode`: the plaintext of parameters from `mop sandbox encrypt` (D1 4.2). */
export const decodeOperation: OperationHandler = async (fields) => {
  const plaintext = decryptParameters({
    encryptData: requiredText(fields, 'encrypt_data'),
    encryptId: requiredText(fields, 'encrypt_id', MAX_ENCRYPT_ID_LENGTH),
  });
  if (plaintext === undefined) {
    throw badRequest('encrypt_data cannot be decrypted with this encrypt_id');
  }
  return success(object({ json_string: text(plaintext) }));
};

/**
 * `/user/sync`, an example in D1 4.4. Echoes the business fields, and the size and digest of files.
 */
export const syncOperation: OperationHandler = async (fields, { files }) => {
  degrees(fields, 'slat', LATITUDE);
  degrees(fields, 'slon', LONGITUDE);
  if (textField(fields, 'openId') === '') throw badRequest('openId is empty');
  if (!hasUsableMobile(fields)) return failure(MOBILE_NUMBER_INVALID);

  if (files && fields.has('files'))
    throw badRequest('files is a reserved name: the answer lists the files under it');

  const members = [...fields].map(([name, value]) => ({ name, value }));
  if (files) members.push({ name: 'files', value: list(files.map(fileFacts)) });
  return success({ kind: 'object', members });
};

function fileFacts({ name, file, bytes, md5 }: FormFile): JsonValue {
  return object({ name: text(name), filename: text(file), bytes: integer(bytes), md5: text(md5) });
}

/** Whether `mobile` is absent or a mobile number of mainland China. */
function hasUsableMobile(fields: Fields): boolean {
  const mobile = field(fields, 'mobile');
  return mobile === undefined || /^1[3-9]\d{9}$/.test(valueText(mobile));
}
