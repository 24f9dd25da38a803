import type { CameraPlace } from '../texts/phone.ts'

interface Browser {
  userAgent: string
  isIos: boolean
  isInstalled: boolean
}

/** Where to find the camera's permission. Every browser on Android names Chrome, so the others are ruled out by name. */
export function placeOf({ userAgent, isIos, isInstalled }: Browser): CameraPlace {
  if (isIos) {
    if (isInstalled) return 'iosApp'
    return /CriOS|FxiOS|EdgiOS|OPT\/|DuckDuckGo|Brave/.test(userAgent) ? 'iosBrowser' : 'iosSafari'
  }
  const isChrome =
    /Android.*Chrome\//.test(userAgent) && !/SamsungBrowser|EdgA|OPR\/|Firefox|DuckDuckGo|; wv\)/.test(userAgent)
  if (!isChrome) return 'other'
  return isInstalled ? 'androidApp' : 'androidChrome'
}
