/**
 * Lists the third-party packages in the bundle, which scanners of installed packages cannot see.
 */
import { readdirSync, readFileSync } from 'node:fs';

/** The packages of the modules in a bundle, by name. `inputs` are the modules' paths. */
export function bundledPackages(root, inputs) {
  const names = new Set(
    inputs.flatMap((path) => /node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1] ?? []),
  );
  const lock = readJson(`${root}/package-lock.json`);
  return [...names].sort().map((name) => {
    const folder = `${root}/node_modules/${name}`;
    const { version, license } = readJson(`${folder}/package.json`);
    const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
    return {
      name,
      version,
      license,
      licenseText: file ? readFileSync(`${folder}/${file}`, 'utf8') : license,
      integrity: lock.packages[`node_modules/${name}`].integrity,
    };
  });
}

/** The licences of `packages`, to be published with the bundle. */
export function licenses(packages) {
  return packages
    .map(({ name, version, licenseText }) => `${name} ${version}\n\n${licenseText.trim()}\n`)
    .join(`\n${'-'.repeat(72)}\n\n`);
}

/** The bill of materials of `product`, in the form of CycloneDX 1.6. */
export function billOfMaterials(product, packages) {
  const components = packages.map((each) => ({
    ...component('library', each),
    hashes: [{ alg: 'SHA-512', content: hexOf(each.integrity) }],
  }));
  const document = {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: { component: component('application', product) },
    components,
  };
  return `${JSON.stringify(document, null, 2)}\n`;
}

function component(type, { name, version, license }) {
  const purl = `pkg:npm/${name.replace('@', '%40')}@${version}`;
  // A combination of licences is an expression.
  const licence = /\s/.test(license) ? { expression: license } : { license: { id: license } };
  return { type, 'bom-ref': purl, name, version, purl, licenses: [licence] };
}

/** A lockfile gives the digest of a package as `sha512-BASE64`. */
function hexOf(integrity) {
  return Buffer.from(integrity.replace(/^sha512-/, ''), 'base64').toString('hex');
}

function readJson(path) {
  return JSON.parse(readFileSync(path, 'utf8'));
}
