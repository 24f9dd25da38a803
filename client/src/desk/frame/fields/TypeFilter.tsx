import type { NamedType } from '@garba/shared/contracts/types/ticketType'
import { Select } from '../../../kit/Select.tsx'
import { TICKET_TYPES as words } from '../../texts/event.ts'

interface TypeFilterProps {
  types: readonly NamedType[] | undefined
  value: string
  onChange: (type: string) => void
}

const toOptions = (types: readonly NamedType[]) => types.map(({ id, name }) => ({ value: id, label: name.en }))

export const TypeFilter = ({ types = [], value, onChange }: TypeFilterProps) =>
  types.length === 0 ? null : (
    <Select
      label={words.filter}
      hideLabel
      value={value}
      options={[{ value: '', label: words.all }, ...toOptions(types)]}
      onChange={onChange}
    />
  )

interface TypeChoiceProps extends Omit<TypeFilterProps, 'types'> {
  types: readonly NamedType[]
  disabled: boolean
}

export const TypeChoice = ({ types, ...select }: TypeChoiceProps) => (
  <Select label={words.filter} options={toOptions(types)} {...select} />
)
