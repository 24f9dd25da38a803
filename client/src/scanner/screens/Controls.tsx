import { MANUAL, RECENT, SCANNER } from '@garba/shared/messages/scanner'
import { Flashlight, FlashlightOff, History, Play, Search, Square, SwitchCamera } from 'lucide-react'
import type { ReactNode } from 'react'
import { cx } from '../../kit/cx.ts'
import type { Camera } from '../camera/useCamera.ts'
import styles from './Controls.module.css'

interface ControlsProps {
  camera: Camera
  running: boolean
  onToggle: () => void
  onFind: () => void
  onRecent: () => void
}

/** All controls within reach of one thumb, at the bottom of the screen. */
export const Controls = ({ camera, running, onToggle, onFind, onRecent }: ControlsProps) => {
  const { control, now } = camera
  const { torch, zoom } = now
  return (
    <div className={cx(styles.controls, running && styles.running)}>
      {running && zoom ? <ZoomSlider zoom={zoom} onChange={control.setZoom} /> : null}
      <div className={styles.tools}>
        {running ? (
          <Tool
            label={RECENT.title}
            short={RECENT.short}
            icon={<History />}
            className={styles.recent}
            onPress={onRecent}
          />
        ) : null}
        <Tool label={MANUAL.open} short={MANUAL.short} icon={<Search />} onPress={onFind} />
        {running && now.canSwitch ? (
          <Tool label={SCANNER.switchCamera} short={SCANNER.camera} icon={<SwitchCamera />} onPress={control.cycle} />
        ) : null}
        {running && torch.isThere ? (
          <Tool
            label={torch.isOn ? SCANNER.torchOff : SCANNER.torchOn}
            short={SCANNER.torch}
            icon={torch.isOn ? <FlashlightOff /> : <Flashlight />}
            pressed={torch.isOn}
            onPress={() => control.setTorch(!torch.isOn)}
          />
        ) : null}
      </div>
      <button type="button" className={styles.main} onClick={onToggle}>
        {running ? <Square aria-hidden="true" /> : <Play aria-hidden="true" />}
        <span>{running ? SCANNER.stop : SCANNER.start}</span>
      </button>
    </div>
  )
}

interface ToolProps {
  label: string
  /** Under the icon; a word from the label. */
  short: string
  icon: ReactNode
  pressed?: boolean
  className?: string | undefined
  onPress: () => void
}

const Tool = ({ label, short, icon, pressed, className, onPress }: ToolProps) => (
  <button
    type="button"
    className={cx(styles.tool, pressed && styles.pressed, className)}
    aria-label={label}
    title={label}
    aria-pressed={pressed}
    onClick={onPress}
  >
    {icon}
    <span>{short}</span>
  </button>
)

interface ZoomSliderProps {
  zoom: NonNullable<Camera['now']['zoom']>
  onChange: (value: number) => void
}

const ZoomSlider = ({ zoom, onChange }: ZoomSliderProps) => (
  <label className={styles.zoom}>
    <span>{SCANNER.zoom}</span>
    <input
      type="range"
      min={zoom.min}
      max={zoom.max}
      step={zoom.step}
      value={zoom.value}
      aria-valuetext={`${zoom.value.toFixed(1)}×`}
      onChange={(event) => onChange(Number(event.target.value))}
    />
    <span className="tabular" aria-hidden="true">
      {zoom.value.toFixed(1)}×
    </span>
  </label>
)
