import { FIRST_NAME_MAX, UNNAMED_USER } from '@garba/shared/constants'
import { useState } from 'react'
import { TextField } from '../../kit/Field.tsx'
import { useUser } from '../../platform/identity/session.ts'
import { local, SENDER_NAME } from '../../platform/store/local.ts'
import { useWalletWords } from './words.ts'

const suggestName = (name: string): string =>
  name.includes('@') || name === UNNAMED_USER ? '' : (name.trim().split(/\s+/)[0] ?? '').slice(0, FIRST_NAME_MAX)

/** The name on a link's envelope: as last given in this browser, empty for none, or a suggestion. */
export function useSenderName() {
  const user = useUser()
  const [value, setValue] = useState(() => local.read(SENDER_NAME) ?? suggestName(user?.name ?? ''))
  const onType = (name: string) => {
    local.write(SENDER_NAME, name)
    setValue(name)
  }
  return { from: value.trim(), field: { value, onType } }
}

export const SenderName = (field: ReturnType<typeof useSenderName>['field']) => {
  const { share } = useWalletWords()
  return (
    <TextField
      label={share.from}
      hint={share.fromHint}
      autoComplete="given-name"
      maxLength={FIRST_NAME_MAX}
      {...field}
    />
  )
}
