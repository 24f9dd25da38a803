import type { Page } from '@playwright/test'
import { type CameraControl, type CameraSetup, DEFAULT_CAMERA, installCamera } from './cameraInPage.ts'
import { qrModules } from './qrPicture.ts'
import { installQuickReader } from './quickReader.ts'

/** The camera of a page, in the hand of the test. */
export interface FakeCamera {
  /** Holds a QR code before the camera, over reloads too where it is decoded; null takes it away. */
  showCode(text: string | null): Promise<void>
  /** Holds a photographed screen (PNG bytes) before the camera; null takes it away. */
  showPicture(png: Buffer | null): Promise<void>
  /** Ends the running camera as a locked phone does. */
  cutOff(): Promise<void>
  /** How often it was opened and which device, whether the torch is on, how far it zooms, how many tracks are live. */
  seen(): Promise<CameraControl['seen']>
}

/** `decodes`: codes are drawn and read from the picture, by the real decoder. Otherwise what is held up is read at once. */
export type CameraOptions = Partial<CameraSetup> & { decodes?: boolean }

/** Replaces the camera of a page; call it before page.goto. */
export async function fakeCamera(page: Page, { decodes = false, ...setup }: CameraOptions = {}): Promise<FakeCamera> {
  let shown: string[] | null = null
  await page.exposeFunction('garbaCameraShows', () => shown)
  await page.addInitScript(installCamera, { ...DEFAULT_CAMERA, ...(decodes ? { everyMs: 250 } : {}), ...setup })
  if (!decodes) await page.addInitScript(installQuickReader)
  await page.context().grantPermissions(['camera'])
  return {
    showCode: async (text) => {
      if (!decodes) return page.evaluate((held) => window.garbaReads(held), text)
      shown = text === null ? null : qrModules(text)
      await page.evaluate((modules) => window.garbaCamera?.show(modules), shown)
    },
    showPicture: async (png) => {
      const url = png === null ? null : `data:image/png;base64,${png.toString('base64')}`
      await page.evaluate((picture) => window.garbaCamera.showPicture(picture), url)
    },
    cutOff: () => page.evaluate(() => window.garbaCamera.cutOff()),
    seen: () => page.evaluate(() => window.garbaCamera.seen),
  }
}
