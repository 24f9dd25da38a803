/** The rooms of table.ts, and sets of them. */

/** The order matters: each room may import those before it. */
export const SHARED = ['constants', 'names', 'messages', 'contracts', 'rules', 'calls'] as const
export const SERVER = [
  'main',
  'app',
  'http',
  'flows',
  'store',
  'accountant',
  'identity',
  'providers',
  'mail',
  'paper',
  'backups',
  'doctor',
  'ground',
] as const
export const SCAN_ROOMS = [
  'scannerScan',
  'scannerSync',
  'scannerStore',
  'scannerCamera',
  'scannerDecode',
  'scannerCore',
] as const
export const SCANNER = [...SCAN_ROOMS, 'scannerScreens', 'scannerChecks', 'scanner'] as const
export const CLIENT = ['texts', 'site', 'guest', 'desk', ...SCANNER, 'kit', 'platform'] as const
export const ROOM_NAMES = [
  'sharedTests',
  'sharedTesting',
  'constants',
  'names',
  'messages',
  'calls',
  'contracts',
  'rules',
  'serverTests',
  'serverTesting',
  'serverBench',
  'providerDouble',
  ...SERVER,
  'pages',
  'clientTests',
  'clientBench',
  'e2e',
  'engines',
  ...CLIENT,
  'clientConfig',
  'config',
  'scripts',
] as const
export type RoomName = (typeof ROOM_NAMES)[number]
