import { viewTexts } from '../core/viewTexts.ts'
import * as english from './en/scanner.ts'

export const {
  AGE_UNITS,
  CAMERA,
  CAMERA_STATES,
  CONFLICTS,
  CONFLICT_TITLES,
  DAY,
  DEVICE,
  GROUP,
  HOLDER,
  LEAVING,
  MANUAL,
  NEXT_STEPS,
  NO_CAMERA,
  RECENT,
  SCAN,
  SCANNER,
  START,
  SCAN_NOTES,
  STATUS_BAR,
  STORAGE_TROUBLE,
  UNSENT,
  UPDATE,
} = viewTexts(english)
