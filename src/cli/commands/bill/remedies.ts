import { own, quoted } from '../../../errors.ts';
import { UNIQUE_NAME } from '../../../platform/bills/bill-key.ts';
import type { BillOwner } from '../../../platform/bills/ledger.ts';
import type { BillType } from '../../../protocol/operations.ts';
import { profileOption } from '../../context/settings.ts';

/** Bills to fetch again, with the options that select them. */
interface BillsToFetch {
  readonly missing: boolean;
  /** The dates of changed bills. */
  readonly changed: readonly string[];
  /** The directory of the command line; undefined for that of the settings. */
  readonly directory: string | undefined;
  readonly owner: Pick<BillOwner, 'profile'>;
  readonly types?: readonly BillType[] | undefined;
  readonly allProfiles?: boolean | undefined;
  readonly env: string | undefined;
  /** Whether files of other owners have the names of missing bills. */
  readonly namesTaken?: boolean | undefined;
  /** Whether the platform may not keep some missing bills any more. */
  readonly mayBeTooOld?: boolean | undefined;
}

/** The commands that fetch missing bills and replace changed ones. */
export function remedies(bills: BillsToFetch): string[] {
  const { missing, changed, directory, owner, types = [], allProfiles, env, namesTaken } = bills;
  const place = directory === undefined ? '' : quoted` ${directory}`;
  const owned = [
    ...types.map((type) => quoted` --type ${type}`),
    allProfiles ? ' --all-profiles' : profileOption(owner.profile),
    env === undefined ? '' : quoted` --env ${env}`,
  ].join('');
  const same = `${place && ` -o${place}`}${owned}`;
  const name = namesTaken ? quoted` --name ${UNIQUE_NAME}` : '';
  const fetchMissing = namesTaken
    ? 'other profiles or environments have files with the usual names; to fetch the missing bills under other names'
    : 'to fetch the missing bills';
  const [date, ...otherDates] = new Set(changed);
  const replace =
    otherDates.length === 0
      ? 'to replace the changed bill'
      : `to replace the changed bills of ${otherDates.length + 1} dates, one date at a time`;
  return [
    ...(missing
      ? [quoted`${own(fetchMissing)}, run: mop bill fetch --missing${own(same + name)}`]
      : []),
    ...(date === undefined
      ? []
      : [quoted`${own(replace)}, run: mop bill fetch ${date} --overwrite${own(same)}`]),
    ...(bills.mayBeTooOld
      ? [
          quoted`to exclude days that the platform no longer keeps, run: mop bill status${own(place)} --check${own(owned)}`,
        ]
      : []),
  ];
}
