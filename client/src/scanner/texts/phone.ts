import * as english from './en/phone.ts'
import { viewTexts } from './views.ts'

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
