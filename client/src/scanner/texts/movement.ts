import * as english from './en/movement.ts'
import { viewTexts } from './views.ts'

export const { COUNTING, CROWD, EXITS, MODES } = viewTexts(english)
