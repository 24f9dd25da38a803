import type { NamedType } from '@garba/shared/contracts/types/ticketType'
import { Select } from '../../../kit/Select.tsx'
import { TICKET_TYPES as words } from '../../texts/event.ts'

interface TypeFilterProps {
  types: readonly NamedType[] | undefined
  value: string
  onChange: (type: string) => void
}

export const TypeFilter = ({ types = [], value, onChange }: TypeFilterProps) =>
  types.length === 0 ? null : (
    <Select
      label={words.filter}
      hideLabel
      value={value}
      options={[{ value: '', label: words.all }, ...types.map(({ id, name }) => ({ value: id, label: name.en }))]}
      onChange={onChange}
    />
  )
