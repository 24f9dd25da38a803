import { mkdirSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { withFolder } from './lib/files.ts'
import { command } from './lib/say.ts'
import { type LockEntry, nameOf, npm, type Packages, packagesFor, ROOT, SetUpError, writeManifests } from './setup.mjs'

/** The licences that a package may have, by their SPDX names. */
const ALLOWED = new Set([
  ...['0BSD', 'Apache-2.0', 'BlueOak-1.0.0', 'BSD-2-Clause', 'BSD-3-Clause', 'ISC', 'MIT', 'MIT-0'],
  // Fonts, data, and files that are used unchanged.
  ...['CC-BY-4.0', 'CC0-1.0', 'MPL-2.0', 'OFL-1.1', 'Python-2.0', 'Unlicense', 'Zlib'],
])

/** Packages that name no licence, or not by its SPDX name, with the licence in their files. */
const BY_HAND: Readonly<Record<string, string>> = {
  'deep-freeze@0.0.1': 'CC0-1.0',
  'fuzzy@0.1.3': 'MIT',
  'png-js@2.0.0': 'MIT',
  'url-template@2.0.8': 'BSD-3-Clause',
  'valid-url@1.0.9': 'MIT',
}

interface Package {
  readonly name: string
  readonly version: string
  readonly licence: string
}

/** Every package of a lock file. A binary for other machines has the licence of the package that names it. */
function packagesOf({ packages }: Packages['lock']): Package[] {
  const entries = Object.entries(packages).filter(([path, { link }]) => path.includes('node_modules/') && !link)
  const namedBy = new Map(
    entries.flatMap(([, entry]) => Object.keys(entry.optionalDependencies ?? {}).map((name) => [name, entry] as const)),
  )
  return entries.map(([path, entry]) => {
    const name = nameOf(path, entry)
    return { name, version: entry.version ?? '', licence: licenceOf(name, entry, namedBy.get(name)) }
  })
}

function licenceOf(name: string, entry: LockEntry, namedBy: LockEntry | undefined): string {
  const byHand = BY_HAND[`${name}@${entry.version}`]
  return byHand ?? entry.license ?? (entry.optional === true ? namedBy?.license : undefined) ?? 'none'
}

/** One of alternative licences must be allowed, but each of licences that apply together. */
const isAllowed = (licence: string): boolean =>
  licence
    .replaceAll(/[()]/g, '')
    .split(' OR ')
    .some((choice) => choice.split(' AND ').every((one) => ALLOWED.has(one)))

/** Prints how many packages have each licence, and throws if one is not allowed. */
function checkLicences(packages: readonly Package[]): void {
  const refused = packages.filter(({ licence }) => !isAllowed(licence))
  if (refused.length > 0)
    throw new SetUpError(
      `These licences are not on the list in scripts/sbom.ts:\n${refused
        .map(({ name, version, licence }) => `  ${name} ${version}: ${licence}`)
        .join('\n')}`,
    )
  const counts = [...Map.groupBy(packages, ({ licence }) => licence)].map(([licence, { length }]) => ({
    licence,
    length,
  }))
  const listed = counts.toSorted((a, b) => b.length - a.length).map(({ licence, length }) => `${licence} ${length}`)
  console.log(`Licences of ${packages.length} packages, all allowed: ${listed.join(', ')}.`)
}

interface Bom {
  readonly bomFormat?: string
  readonly components?: readonly { readonly purl?: string }[]
}

/** npm's list of these packages in CycloneDX's format. Throws if it is not the list of the lock file. */
async function bomOf(folder: string, packages: readonly Package[]): Promise<string> {
  const { code, output } = await npm(['sbom', '--sbom-format=cyclonedx', '--package-lock-only'], folder).done
  const text = output.slice(Math.max(0, output.indexOf('{')))
  if (code !== 0 || !text.startsWith('{'))
    throw new SetUpError(`npm sbom, which npm 10 has, failed:\n\n${output.trim()}`)
  const bom = JSON.parse(text) as Bom
  const listed = new Set(bom.components?.map(({ purl = '' }) => decodeURIComponent(purl.split('?')[0] ?? '')))
  const missing = packages.filter(({ name, version }) => !listed.has(`pkg:npm/${name}@${version}`))
  if (bom.bomFormat !== 'CycloneDX' || missing.length > 0)
    throw new SetUpError(`npm sbom left out ${missing.map(({ name }) => name).join(', ') || 'its format'}.`)
  return text
}

interface Audit {
  readonly vulnerabilities?: Readonly<Record<string, { readonly severity: string; readonly range: string }>>
}

/** Asks the registry for known vulnerabilities and prints them. A registry that does not answer is not a failure. */
async function printAdvisories(folder: string): Promise<void> {
  const { output } = await npm(['audit', '--json', '--package-lock-only', '--fetch-retries=0'], folder).done
  const { vulnerabilities } = auditIn(output)
  if (vulnerabilities === undefined)
    return console.log('Advisories: the registry could not be asked (npm audit), so they are not checked.')
  const found = Object.entries(vulnerabilities)
  console.log(found.length === 0 ? 'Advisories: none.' : `Advisories for ${found.length} packages:`)
  for (const [name, { severity, range }] of found) console.log(`  ${name} ${range}: ${severity}`)
  if (found.some(([, { severity }]) => ['high', 'critical'].includes(severity))) process.exitCode = 1
}

/** npm prints warnings before and after its JSON. */
function auditIn(output: string): Audit {
  try {
    return JSON.parse(output.slice(output.indexOf('{'), output.lastIndexOf('}') + 1)) as Audit
  } catch (error) {
    if (error instanceof SyntaxError) return {}
    throw error
  }
}

await command('sbom', async ({ words: [given], has }) => {
  checkLicences(packagesOf(packagesFor({ tools: true }).lock))
  if (has('licences')) return
  const needed = packagesFor({ tools: false })
  const packages = packagesOf(needed.lock)
  await withFolder(join(tmpdir(), 'garba-sbom-'), async (folder) => {
    writeManifests(needed, '', folder)
    const file = given === undefined ? join(ROOT, '.cache', 'sbom.cdx.json') : resolve(given)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, await bomOf(folder, packages))
    console.log(`${file} lists the ${packages.length} packages that npm start installs (CycloneDX).`)
    await printAdvisories(folder)
  })
})
