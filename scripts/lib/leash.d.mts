export function holdLeash(): () => void
export function holdLeashToNpm(): () => void
