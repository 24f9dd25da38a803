/** Why there is no picture, as the checker sees it, and what to do about it. SPEC 8's sentence stands between the two. */

/** Where the scanner runs: each browser hides the camera's permission in another place. */
export type CameraPlace = 'androidChrome' | 'androidApp' | 'iosSafari' | 'iosApp' | 'iosBrowser' | 'other'

export const CAMERA_BLOCKED = {
  title: 'The camera is blocked',
  cures: {
    androidChrome: [
      'Tap the icon to the left of the address.',
      'Tap Permissions and turn Camera on.',
      "No Camera there? Open Android's Settings, Apps, Chrome, Permissions, and allow the camera.",
    ],
    androidApp: [
      'Open Chrome. Tap ⋮, Settings, Site settings, Camera.',
      'Tap this site under Blocked and choose Allow.',
      "Not listed? Open Android's Settings, Apps, Chrome, Permissions, and allow the camera.",
    ],
    iosSafari: [
      'Tap the page menu at the left of the address, then Website Settings.',
      'Set Camera to Allow.',
      'Still blocked? Open Settings, Apps, Safari, Camera, and choose Allow.',
    ],
    iosApp: [
      'Close this app: swipe up from the bottom edge, then swipe the app away.',
      'Open it again, start the scanner, and tap Allow.',
      'No question? Open Settings, Apps, Safari, Camera, and choose Allow.',
    ],
    iosBrowser: ['Open Settings, Apps, and then this browser.', 'Turn Camera on and come back here.'],
    other: [
      'Select the icon to the left of the address.',
      'Allow the camera for this site.',
      'Still blocked? Allow the camera for this browser in the settings of the computer or phone.',
    ],
  } satisfies Record<CameraPlace, readonly string[]>,
} as const

/** The other causes. Where a cure is empty, SPEC's checklist is the cure. */
export const CAMERA_CAUSES = {
  none: { title: 'No Camera Available', cure: [] },
  unplugged: {
    title: 'The camera was unplugged',
    cure: ['Plug it in again. The scanner continues by itself.', 'Using another one? Plug it in and press Retry.'],
  },
  inUse: {
    title: 'The camera is in use',
    cure: [
      'Close other apps that use the camera, such as video calls.',
      'Close other tabs and windows with the scanner.',
      "Press Retry. If that doesn't help, restart the phone.",
    ],
  },
  unfit: {
    title: "This camera can't be used",
    cure: ['Press Camera to try another one.', 'If there is only one, restart the phone.'],
  },
  unsupported: { title: "This browser can't open the camera", cure: [] },
  timedOut: {
    title: "The camera didn't answer",
    cure: [
      'Is the browser asking for the camera? Tap Allow.',
      'Close other apps that use the camera.',
      'Press Reload.',
    ],
  },
  scanner: {
    title: "The scanner didn't start",
    cure: ['Press Reload.', 'If it happens again, close other apps or restart the phone.'],
  },
  unknown: {
    title: 'Camera problem',
    cure: ['Press Reload.', 'If it happens again, restart the phone or use another one.'],
  },
} as const satisfies Record<string, { title: string; cure: readonly string[] }>
