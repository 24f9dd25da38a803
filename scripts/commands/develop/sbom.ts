import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import * as z from 'zod'
import { runCommand } from '../../lib/say.ts'
import { ROOT, runNpm, SetUpError } from '../../setup.mjs'

const ALLOWED = new Set([
  ...['0BSD', 'Apache-2.0', 'BlueOak-1.0.0', 'BSD-2-Clause', 'BSD-3-Clause', 'ISC', 'MIT', 'MIT-0'],
  // Fonts, data, and files that are used unchanged.
  ...['CC-BY-4.0', 'CC0-1.0', 'MPL-2.0', 'OFL-1.1', 'Python-2.0', 'Unlicense', 'Zlib'],
])

/** Packages whose manifest names no licence, with the licence in their files or in the package that brings them. */
const BY_HAND: readonly (readonly [RegExp, string])[] = [
  [/^png-js$/, 'MIT'],
  [/^@rollup\/rollup-/, 'MIT'],
  [/^@biomejs\/cli-/, 'MIT OR Apache-2.0'],
  [/^(client|server|shared)$/, 'MIT'],
]

const bomSchema = z.object({
  bomFormat: z.literal('CycloneDX'),
  components: z.array(
    z.object({
      name: z.string(),
      version: z.string(),
      licenses: z
        .array(
          z.object({ license: z.object({ id: z.string().optional() }).optional(), expression: z.string().optional() }),
        )
        .optional(),
    }),
  ),
})
type BomComponent = z.infer<typeof bomSchema>['components'][number]

function readBom(...options: string[]): { text: string; components: BomComponent[] } {
  const { status, stdout } = runNpm(['sbom', '--sbom-format=cyclonedx', '--package-lock-only', ...options], {
    encoding: 'utf8',
    maxBuffer: 1e8,
  })
  if (status !== 0) throw new SetUpError('npm sbom failed; npm 10 and later have it.')
  const text = String(stdout)
  return { text, components: bomSchema.parse(JSON.parse(text)).components }
}

function findLicence({ name, licenses }: BomComponent): string {
  const [first] = licenses ?? []
  return first?.expression ?? first?.license?.id ?? BY_HAND.find(([names]) => names.test(name))?.[1] ?? 'none'
}

/** With alternative licences one must be allowed; with licences that apply together, all of them. */
const isAllowed = (licence: string): boolean =>
  licence
    .replaceAll(/[()]/g, '')
    .split(' OR ')
    .some((choice) => choice.split(' AND ').every((part) => ALLOWED.has(part)))

await runCommand('sbom', async ({ words: [given], has }) => {
  const { components } = readBom()
  const refused = components.filter((component) => !isAllowed(findLicence(component)))
  if (refused.length > 0)
    throw new SetUpError(
      `These licences are not on the list in scripts/commands/develop/sbom.ts:\n${refused
        .map((component) => `  ${component.name} ${component.version}: ${findLicence(component)}`)
        .join('\n')}`,
    )
  console.log(`The licences of ${components.length} packages are all allowed.`)
  if (has('licences')) return
  const file = given === undefined ? join(ROOT, '.cache', 'sbom.cdx.json') : resolve(given)
  const installed = readBom('--omit=dev')
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, installed.text)
  console.log(`${file} lists the ${installed.components.length} packages that npm start installs (CycloneDX).`)
})
