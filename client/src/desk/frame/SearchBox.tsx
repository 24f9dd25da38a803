import { useEffect, useRef, useState } from 'react'
import { TextField } from '../../kit/TextField.tsx'

const TYPING_PAUSE_MS = 300

interface SearchBoxProps {
  label: string
  placeholder: string
  /** The search that is in force. */
  value: string
  onSearch: (search: string) => void
}

/** A search that follows the typing, a moment after the last key. */
export const SearchBox = ({ label, placeholder, value, onSearch }: SearchBoxProps) => {
  const [typed, setTyped] = useState(value)
  const search = useRef(onSearch)
  const [sent, setSent] = useState(value)
  const [inForce, setInForce] = useState(value)
  if (value !== inForce) {
    setInForce(value)
    // Changed from outside (Back, "clear"): the box follows. Our own word coming back must not undo what was typed since.
    if (value !== sent) {
      setSent(value)
      setTyped(value)
    }
  }
  useEffect(() => {
    search.current = onSearch
  })
  useEffect(() => {
    if (typed.trim() === value) return
    const timer = setTimeout(() => {
      setSent(typed.trim())
      search.current(typed.trim())
    }, TYPING_PAUSE_MS)
    return () => clearTimeout(timer)
  }, [typed, value])
  return (
    <TextField
      label={label}
      type="search"
      autoComplete="off"
      placeholder={placeholder}
      value={typed}
      onChange={(event) => setTyped(event.target.value)}
    />
  )
}
