import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))

/** The site's components as one module for the server, which renders the first paint with it. */
export default defineConfig({
  root: here('.'),
  publicDir: false,
  plugins: [react()],
  ssr: { noExternal: true },
  build: {
    ssr: here('./src/site/render.tsx'),
    outDir: 'dist/.render',
    emptyOutDir: true,
    target: 'node24',
    minify: false,
    rolldownOptions: { output: { entryFileNames: 'render.js' } },
  },
})
