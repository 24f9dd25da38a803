import { Checkbox } from '../../kit/Checkbox.tsx'

interface SelectBoxProps {
  /** Only for screen readers. */
  label: string
  checked: boolean
  onSelect: (on: boolean) => void
}

/** Selects a row of a table, or all of them. */
export const SelectBox = ({ label, checked, onSelect }: SelectBoxProps) => (
  <Checkbox label={label} hideLabel checked={checked} onChange={({ target }) => onSelect(target.checked)} />
)
