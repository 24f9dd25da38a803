/**
 * Draws the PNG icons and the link preview picture from their SVG sources in manifest/ with Chromium, which renders
 * fonts, gradients and masks as phones do. Run by hand after a source changes: node scripts/commands/develop/icons.ts
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Browser, chromium } from '@playwright/test'
import { ensureChromium } from '../../lib/chromium.ts'
import { ROOT } from '../../setup.mjs'

const font = (name: string): string => {
  const [family = ''] = name.split(/-(?:latin|devanagari)-/)
  return `url(data:font/woff2;base64,${readFileSync(join(ROOT, 'node_modules', '@fontsource', family, 'files', name), 'base64')})`
}

interface Picture {
  source: string
  /** The file is a .png, or a .jpg for the link preview, because messengers reject large pictures. */
  picture: string
  width: number
  height: number
}

const square = (source: string, picture: string, size: number): Picture => ({
  source: `manifest/icons/${source}.svg`,
  picture: `manifest/icons/${picture}.png`,
  width: size,
  height: size,
})

/** Apple rounds corners itself and turns transparency black, so its icons use the full-bleed drawing. */
const PICTURES: readonly Picture[] = [
  ...['guest', 'scanner'].flatMap((app) => [
    square(app, `${app}-192`, 192),
    square(app, `${app}-512`, 512),
    square(`${app}-maskable`, `${app}-maskable-512`, 512),
    square(`${app}-maskable`, `apple-touch-${app}`, 180),
  ]),
  { source: 'manifest/og.svg', picture: 'manifest/og.jpg', width: 1200, height: 630 },
]

async function draw(browser: Browser, { source, picture, width, height }: Picture): Promise<void> {
  const page = await browser.newPage({ viewport: { width, height } })
  await page.setContent(`<style>
    @font-face { font-family: "Rozha One"; src: ${font('rozha-one-latin-400-normal.woff2')} }
    @font-face { font-family: "Mukta Vaani"; font-weight: 600; src: ${font('mukta-vaani-latin-600-normal.woff2')} }
    body { margin: 0 } svg { display: block; width: 100vw; height: 100vh }
  </style>${readFileSync(join(ROOT, source), 'utf8')}`)
  await page.evaluate('document.fonts.ready.then(() => undefined)')
  const image = picture.endsWith('.jpg')
    ? await page.screenshot({ type: 'jpeg', quality: 86 })
    : await page.screenshot({ omitBackground: true })
  writeFileSync(join(ROOT, picture), image)
  await page.close()
}

const browser = await chromium.launch({
  executablePath: await ensureChromium(),
  args: ['--no-sandbox', '--disable-gpu'],
})
for (const picture of PICTURES) await draw(browser, picture)
await browser.close()
