import { viewTexts } from '../core/viewTexts.ts'
import * as english from './en/phone.ts'

export const {
  CAMERA_BLOCKED,
  CAMERA_CAUSES,
  FRAME,
  GATE_VIEW,
  HEADCOUNT,
  INSTALL,
  PAIRING,
  PAIRING_END,
  READINESS,
  SCANNER_KEYS,
  SHIFT,
} = viewTexts(english)
