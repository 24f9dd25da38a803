import type { CameraPlace } from '../texts/en/phone.ts'
/** Labels are empty until permission was granted once. */
export interface CameraInfo {
  id: string
  label: string
}

/** The camera remembered between visits. Safari assigns new ids, so the label helps to find it again. */
export type CameraChoice = CameraInfo

const FRONT = /front|user|selfie|facetime|vorder|frontal/i
const BACK = /back|rear|environment|r(ü|ue)ck|tras|arri[eè]re|posteri/i
/** Lenses that cannot focus on a screen at arm's length, or do not produce a normal picture. */
const POOR = /ultra|tele|macro|depth|infrared|\bir\b|mono(chrome)?|virtual/i
/** Apple's names for a cluster that switches lenses by itself and contains the main lens. */
const CLUSTER = /dual|triple/i
/** Chrome on Android: "camera2 0, facing back". The main camera has the lowest number. */
const ANDROID = /camera2? (\d+)/i

/** Lower is better: rear before unknown before front; a main lens before an ultra-wide or a telephoto. */
export function lensRank(label: string): number {
  const side = BACK.test(label) ? 0 : FRONT.test(label) ? 200 : 100
  const lens = POOR.test(label) && !CLUSTER.test(label) ? 50 : 0
  const number = Number(ANDROID.exec(label)?.[1] ?? 0)
  return side + lens + Math.min(number, 40)
}

/** The best camera by label, in the browser's order among equals; null while no label is known. */
export function bestCamera(cameras: readonly CameraInfo[]): CameraInfo | null {
  const named = cameras.filter(({ label }) => label !== '')
  return named.reduce<CameraInfo | null>(
    (best, camera) => (best && lensRank(best.label) <= lensRank(camera.label) ? best : camera),
    null,
  )
}

export function rememberedCamera(cameras: readonly CameraInfo[], choice: CameraChoice | null): CameraInfo | null {
  if (!choice) return null
  const byId = cameras.find(({ id }) => id === choice.id)
  return byId ?? cameras.find(({ label }) => label !== '' && label === choice.label) ?? null
}

export function nextCamera(cameras: readonly CameraInfo[], currentId: string | null): CameraInfo | null {
  if (cameras.length < 2) return null
  const index = cameras.findIndex(({ id }) => id === currentId)
  return cameras[(index + 1) % cameras.length] ?? null
}

export type Ask = { type: 'id'; id: string } | { type: 'rear' } | { type: 'any' }

/** The requests to try until one is granted, in this order: the remembered camera, the best, the rear, any. */
export function asksFor(cameras: readonly CameraInfo[], choice: CameraChoice | null): Ask[] {
  const remembered = rememberedCamera(cameras, choice)
  const best = bestCamera(cameras)
  const ids = [remembered?.id, best?.id].filter((id): id is string => id !== undefined && id !== '')
  return [...new Set(ids)].map((id): Ask => ({ type: 'id', id })).concat([{ type: 'rear' }, { type: 'any' }])
}

const FRAME = { width: { ideal: 1280 }, height: { ideal: 720 }, frameRate: { ideal: 30 } }

export function buildCameraConstraints(ask: Ask): MediaStreamConstraints {
  if (ask.type === 'any') return { video: true, audio: false }
  const camera = ask.type === 'id' ? { deviceId: { exact: ask.id } } : { facingMode: { ideal: 'environment' } }
  return { video: { ...FRAME, ...camera }, audio: false }
}

/** Where to find the camera's permission. Every browser on Android names Chrome, so the others are ruled out by name. */
export function getCameraPlace(browser: { userAgent: string; isIos: boolean; isInstalled: boolean }): CameraPlace {
  const { userAgent, isIos, isInstalled } = browser
  if (isIos) {
    if (isInstalled) return 'iosApp'
    return /CriOS|FxiOS|EdgiOS|OPT\/|DuckDuckGo|Brave/.test(userAgent) ? 'iosBrowser' : 'iosSafari'
  }
  const isChrome =
    /Android.*Chrome\//.test(userAgent) && !/SamsungBrowser|EdgA|OPR\/|Firefox|DuckDuckGo|; wv\)/.test(userAgent)
  if (!isChrome) return 'other'
  return isInstalled ? 'androidApp' : 'androidChrome'
}
