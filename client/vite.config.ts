import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { VitePWA } from 'vite-plugin-pwa'
import packageFile from '../package.json' with { type: 'json' }
import { chunks } from './vite.chunks.ts'
import { fontFaces } from './vite.fonts.ts'
import { lastViewFirst, precacheOf, scannerAtItsAddress, styleElementsOut, trackShells } from './vite.shells.ts'

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
      manifestTransforms: [precacheOf(shell)],
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
    lastViewFirst(),
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
        lastView: here('./src/site/lastView.ts'),
      },
      output: {
        codeSplitting: { groups: chunks((path) => here(`./src/${path}`)) },
      },
    },
  },
  worker: { format: 'es', rolldownOptions: { treeshake } },
  server: { host: '127.0.0.1', proxy: Object.fromEntries(PROXIED.map((path) => [path, server])) },
})
