import { Flashlight, FlashlightOff, History, Play, Search, SwitchCamera, Ticket, ZoomIn } from 'lucide-react'
import { type ReactNode, type RefObject, useId, useRef, useState } from 'react'
import { cx } from '../../../kit/cx.ts'
import type { Camera } from '../../camera/useCamera.ts'
import { useMode } from '../../scan/mode.ts'
import { MANUAL, RECENT, SCANNER } from '../../texts/scanner.ts'
import { SELL_HERE } from '../../texts/sell.ts'
import styles from './Controls.module.css'

interface ControlsProps {
  camera: Camera
  running: boolean
  /** onStart, onFind and onSell are null where this phone may not scan, find or sell. */
  onStart: (() => void) | null
  onFind: (() => void) | null
  onSell: (() => void) | null
  onRecent: () => void
}

export const Controls = ({ camera, running, onStart, onFind, onSell, onRecent }: ControlsProps) => {
  const { control, now } = camera
  const { torch, zoom } = now
  // Nobody aims the camera while people are counted without codes.
  const aims = useMode(({ mode }) => mode !== 'count') && running
  const slider = useId()
  const [zooms, setZooms] = useState(false)
  const zoomTool = useRef<HTMLButtonElement>(null)
  const closeZoom = () => {
    setZooms(false)
    zoomTool.current?.focus()
  }
  return (
    <div className={cx(styles.controls, running && styles.running)}>
      {aims && zoom && zooms ? (
        <ZoomSlider id={slider} zoom={zoom} onChange={control.setZoom} onClose={closeZoom} />
      ) : null}
      {aims && (now.canSwitch || zoom) ? (
        <div className={styles.lens}>
          {now.canSwitch ? (
            <Tool label={SCANNER.switchCamera} short={SCANNER.camera} icon={<SwitchCamera />} onPress={control.cycle} />
          ) : null}
          {zoom ? (
            <Tool
              label={SCANNER.zoomAt(factorText(zoom.value))}
              short={factorText(zoom.value)}
              icon={<ZoomIn />}
              ref={zoomTool}
              expands={{ id: slider, isOpen: zooms }}
              onPress={() => setZooms(!zooms)}
            />
          ) : null}
        </div>
      ) : null}
      <div className={styles.tools}>
        {aims && torch.isThere ? (
          <Tool
            label={torch.isOn ? SCANNER.torchOff : SCANNER.torchOn}
            short={SCANNER.torch}
            icon={torch.isOn ? <FlashlightOff /> : <Flashlight />}
            pressed={torch.isOn}
            onPress={() => control.setTorch(!torch.isOn)}
          />
        ) : null}
        {onFind ? <Tool label={MANUAL.open} short={MANUAL.short} icon={<Search />} onPress={onFind} /> : null}
        {running ? (
          <Tool
            label={RECENT.title}
            short={RECENT.short}
            icon={<History />}
            className={styles.recent}
            onPress={onRecent}
          />
        ) : null}
        {onSell && onStart ? (
          <Tool label={SELL_HERE.open} short={SELL_HERE.short} icon={<Ticket />} onPress={onSell} />
        ) : null}
      </div>
      {running ? null : onStart ? (
        <button type="button" className={styles.main} onClick={onStart}>
          <Play />
          <span>{SCANNER.start}</span>
        </button>
      ) : onSell ? (
        <button type="button" className={cx(styles.main, styles.outlined)} onClick={onSell}>
          <Ticket />
          <span>{SELL_HERE.open}</span>
        </button>
      ) : null}
    </div>
  )
}

const factorText = (zoom: number): string => `${zoom.toFixed(1)}×`

interface ToolProps {
  label: string
  short: string
  icon: ReactNode
  pressed?: boolean
  expands?: { id: string; isOpen: boolean }
  className?: string | undefined
  ref?: RefObject<HTMLButtonElement | null>
  onPress: () => void
}

const Tool = ({ label, short, icon, pressed, expands, className, ref, onPress }: ToolProps) => (
  <button
    ref={ref}
    type="button"
    className={cx(styles.tool, (pressed || expands?.isOpen) && styles.pressed, className)}
    aria-label={label}
    title={label}
    aria-pressed={pressed}
    aria-expanded={expands?.isOpen}
    aria-controls={expands?.isOpen ? expands.id : undefined}
    onClick={onPress}
    onKeyDown={({ key }) => key === 'Escape' && expands?.isOpen && onPress()}
  >
    {icon}
    <span>{short}</span>
  </button>
)

interface ZoomSliderProps {
  id: string
  zoom: NonNullable<Camera['now']['zoom']>
  onChange: (value: number) => void
  onClose: () => void
}

const ZoomSlider = ({ id, zoom, onChange, onClose }: ZoomSliderProps) => (
  <label className={styles.zoom} id={id}>
    <span>{SCANNER.zoom}</span>
    <input
      type="range"
      min={zoom.min}
      max={zoom.max}
      step={zoom.step}
      value={zoom.value}
      aria-valuetext={factorText(zoom.value)}
      onChange={(event) => onChange(Number(event.target.value))}
      onKeyDown={({ key }) => key === 'Escape' && onClose()}
    />
  </label>
)
