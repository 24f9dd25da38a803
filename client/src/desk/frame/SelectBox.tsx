import { Checkbox } from '../../kit/Checkbox.tsx'

interface SelectBoxProps {
  /** Said, not drawn. */
  label: string
  checked: boolean
  onSelect: (on: boolean) => void
}

/** Chooses a row of a table, or all of them. */
export const SelectBox = ({ label, checked, onSelect }: SelectBoxProps) => (
  <Checkbox label={label} hideLabel checked={checked} onChange={({ target }) => onSelect(target.checked)} />
)
