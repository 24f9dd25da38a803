import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import subsetFont from 'subset-font'
import { defineConfig, type Plugin } from 'vite'
import { VitePWA } from 'vite-plugin-pwa'
import packageFile from '../package.json' with { type: 'json' }
import {
  bootFirst,
  buildChunkGroups,
  buildPrecacheFilter,
  scannerAtItsAddress,
  styleElementsOut,
  trackShells,
} from './vite.chunks.ts'

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))
/** Where the API and the demo identity process answer while Vite serves the pages. */
const server = process.env.GARBA_SERVER ?? 'http://127.0.0.1:8080'
/** What this build calls itself (scripts/lib/version.ts); Vite alone knows the package's version only, and so does the server then. */
const version = process.env.GARBA_VERSION ?? packageFile.version
const PROXIED = ['/api', '/healthz', '/identitytoolkit.googleapis.com', '/securetoken.googleapis.com', '/emulator']

/** Of @zxing/library's classes the scanner needs the QR ones; its modules do nothing when merely loaded. */
const treeshake = { moduleSideEffects: (id: string) => !id.includes('@zxing/library') }

/**
 * Two HTML entries and two workers. Each worker's precache holds its own shell's files alone: a guest never
 * downloads the desk or the scanner, a checker never downloads the site.
 */
const worker = (shell: 'site' | 'scanner', filename: 'sw-guest.ts' | 'sw-scanner.ts') =>
  VitePWA({
    strategies: 'injectManifest',
    srcDir: `src/${shell}`,
    filename,
    outDir: 'dist',
    manifest: false,
    injectRegister: null,
    includeManifestIcons: false,
    injectManifest: {
      rollupFormat: 'iife',
      globPatterns: ['**/*.{html,js,css,woff2,wasm,svg,png,webmanifest}'],
      globIgnores: ['sw-*.js', 'screenshots/**'],
      maximumFileSizeToCacheInBytes: 6_000_000,
      manifestTransforms: [buildPrecacheFilter(shell)],
    },
  })

export default defineConfig({
  root: here('.'),
  publicDir: here('../manifest'),
  define: { 'import.meta.env.APP_VERSION': JSON.stringify(version) },
  plugins: [
    react(),
    fontFaces(),
    styleElementsOut(),
    scannerAtItsAddress(),
    trackShells(),
    bootFirst(),
    ...worker('site', 'sw-guest.ts'),
    ...worker('scanner', 'sw-scanner.ts'),
  ],
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    // The server finds the styles of a page that it renders by it.
    manifest: true,
    target: 'es2022',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      treeshake,
      input: {
        site: here('./index.html'),
        scanner: here('./scanner.html'),
        boot: here('./src/site/boot.ts'),
      },
      output: {
        codeSplitting: { groups: buildChunkGroups((path) => here(`./src/${path}`)) },
      },
    },
  },
  worker: { format: 'es', rolldownOptions: { treeshake } },
  server: { host: '127.0.0.1', proxy: Object.fromEntries(PROXIED.map((path) => [path, server])) },
})

const LATIN =
  'U+0000-00FF, U+0131, U+0152-0153, U+02BB-02BC, U+02C6, U+02DA, U+02DC, U+0304, U+0308, U+0329, U+2000-200B, U+200E-206F, U+20AC, U+2122, U+2191, U+2193, U+2212, U+2215, U+FEFF, U+FFFD'

/** The letters each packaged file is fetched for. */
const PACKAGED = {
  latin: LATIN,
  'latin-ext': 'U+0100-0130, U+0132-0151, U+0154-02BA, U+1E00-1EFF, U+20A0-20AB, U+20AD-20C0',
  gujarati: 'U+0951-0952, U+0964-0965, U+0A80-0AFF, U+200C-200D, U+25CC, U+A830-A839',
  devanagari: 'U+0900-097F, U+1CD0-1CF9, U+200C-200D, U+20F0, U+25CC, U+A8E0-A8FF',
} as const
type Packaged = keyof typeof PACKAGED

/** Cut out of a packaged file: what every English page shows, and the rupee sign, for which it would fetch 15 kB. */
const CUT = {
  basic: { from: 'latin', letters: `${ascii()}\u00a0©·×–—‘’“”•…−` },
  rupee: { from: 'latin-ext', letters: '₹' },
} as const
type Cut = keyof typeof CUT

interface Family {
  name: string
  /** Of @fontsource. */
  files: string
  weights: readonly number[]
  packaged: readonly Packaged[]
  cut: readonly Cut[]
}

/** Only what is in use. */
const FAMILIES: readonly Family[] = [
  { name: 'Rozha One', files: 'rozha-one', weights: [400], packaged: ['latin', 'devanagari'], cut: ['basic'] },
  {
    name: 'Mukta Vaani',
    files: 'mukta-vaani',
    weights: [400, 500, 600, 700],
    packaged: ['latin', 'latin-ext', 'gujarati'],
    cut: ['basic', 'rupee'],
  },
  { name: 'Mukta', files: 'mukta', weights: [400, 600, 700], packaged: ['devanagari'], cut: [] },
]

const CUT_FOLDER = '../.cache/fonts'
const packagedFile = ({ files }: Family, subset: Packaged, weight: number) =>
  `@fontsource/${files}/files/${files}-${subset}-${weight}-normal.woff2`
const cutFile = ({ files }: Family, cut: Cut, weight: number) => `${CUT_FOLDER}/${files}-${cut}-${weight}.woff2`

/** Makes the cut files, once. */
async function cutFonts(): Promise<void> {
  mkdirSync(here(CUT_FOLDER), { recursive: true })
  for (const family of FAMILIES)
    for (const weight of family.weights)
      for (const cut of family.cut) {
        const file = here(cutFile(family, cut, weight))
        if (existsSync(file)) continue
        const { from, letters } = CUT[cut]
        const source = readFileSync(fileURLToPath(import.meta.resolve(packagedFile(family, from, weight))))
        writeFileSync(file, await subsetFont(source, letters, { targetFormat: 'woff2' }))
      }
}

const faceOf = ({ name }: Family, weight: number, url: string, range: string) => `@font-face {
  font-family: "${name}";
  font-style: normal;
  font-display: swap;
  font-weight: ${weight};
  src: url("${url}") format("woff2");
  unicode-range: ${range};
}`

/** Where two faces have a letter, the later one is taken. */
const facesOf = (family: Family, weight: number): string[] => [
  ...family.packaged.map((subset) => faceOf(family, weight, packagedFile(family, subset, weight), PACKAGED[subset])),
  ...family.cut.map((cut) =>
    faceOf(family, weight, `../../${cutFile(family, cut, weight)}`, rangeOf(CUT[cut].letters)),
  ),
]

const fontFacesCss = (): string =>
  FAMILIES.flatMap((family) => family.weights.flatMap((weight) => facesOf(family, weight))).join('\n')

function ascii(): string {
  return String.fromCharCode(...Array.from({ length: 0x7e - 0x20 + 1 }, (_, index) => 0x20 + index))
}

/** As CSS writes a set of letters; the printable ones of ASCII as one range. */
function rangeOf(letters: string): string {
  const others = letters.replace(ascii(), '')
  const codes = [...others].map((letter) => `U+${letter.codePointAt(0)?.toString(16).toUpperCase()}`)
  return [...(others === letters ? [] : ['U+20-7E']), ...codes].join(', ')
}

/** Fills kit/fonts.css, for which plain CSS would have to repeat every range of letters at every weight. */
function fontFaces(): Plugin {
  return {
    name: 'garba:font-faces',
    enforce: 'pre',
    config: cutFonts,
    transform: (code, id) => (/\/kit\/fonts\.css$/.test(id) ? code + fontFacesCss() : null),
  }
}
