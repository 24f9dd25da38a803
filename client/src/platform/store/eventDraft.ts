import { local } from './local.ts'

const KEY = 'garba.event-draft'

/** The event form's unsaved changes as the desk writes them. Kept here, for they go at a sign-out from any page. */
export const eventDraft = {
  read: (): string | null => local.read(KEY),
  write: (text: string): void => local.write(KEY, text),
  drop: (): void => local.write(KEY, null),
}
