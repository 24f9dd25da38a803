import { viewTexts } from '../core/viewTexts.ts'
import * as english from './en/movement.ts'

export const { COUNTING, CROWD, EXITS, MODES } = viewTexts(english)
