/** What the scanner says of its camera (SPEC 2 and 8). */
export const CAMERA = {
  none: 'No camera found on this device',
  noneDetected: 'No cameras detected',
  cameraTimeout: 'Camera initialization timed out. Please check camera permissions and try again.',
  scannerTimeout: 'Scanner initialization timed out. Please refresh the page and try again.',
  accessFailed: 'Failed to access camera',
  scannerFailed: 'Failed to initialize scanner',
  controlFailed: 'Failed to control camera',
  switchFailed: 'Failed to switch camera',
  pauseFailed: 'Failed to pause/resume scanner',
} as const

export const CAMERA_STATES = {
  initializing: 'Initializing',
  ready: 'Ready',
  scanning: 'Scanning',
  processing: 'Processing',
} as const

export const NO_CAMERA = {
  title: 'No Camera Available',
  checklist: [
    'This device has a camera',
    'Camera permissions are granted',
    'No other app is using the camera',
    'The page is opened over HTTPS',
  ],
  retry: 'Retry',
} as const
