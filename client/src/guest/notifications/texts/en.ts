export const en = {
  turnOn: { phone: 'Tell me on this phone', computer: 'Tell me on this computer' },
  about: 'If the event changes, a late payment arrives or entry begins.',
  on: 'Notifications are on.',
  turnOff: 'Turn off',
  blocked: 'Notifications are blocked in this browser’s settings.',
  failed: 'This browser could not turn notifications on. Please try again.',
} as const
