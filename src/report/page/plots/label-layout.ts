/**
 * Places labels along a line: each as near as possible to where it wants to be, none over another, all between 0 and
 * `width`. Returns the centres; labels that find no room, last ones first, get none.
 */
export interface Label {
  readonly at: number;
  readonly width: number;
}

export function labelLayout(labels: readonly Label[], width: number, gap = 6): (number | undefined)[] {
  let fitting = labels.length;
  const needed = (n: number): number =>
    labels.slice(0, n).reduce((sum, label) => sum + label.width + gap, -gap);
  while (fitting > 0 && needed(fitting) > width) fitting -= 1;
  const order = Array.from({ length: fitting }, (_, i) => i).sort((a, b) => labels[a].at - labels[b].at);
  // Neighbours that collide become a group that sits at the mean of what its members want.
  const groups: { members: number[]; wanted: number; width: number }[] = [];
  for (const i of order) {
    let group = { members: [i], wanted: labels[i].at, width: labels[i].width };
    for (;;) {
      const last = groups[groups.length - 1];
      if (!last || left(last, width) + last.width + gap <= left(group, width)) break;
      groups.pop();
      const members = [...last.members, ...group.members];
      const total = last.members.length + group.members.length;
      const wanted = (last.wanted * last.members.length + group.wanted * group.members.length) / total;
      group = { members, wanted, width: last.width + gap + group.width };
    }
    groups.push(group);
  }
  const centres: (number | undefined)[] = labels.map(() => undefined);
  for (const group of groups) {
    let x = left(group, width);
    for (const i of group.members) {
      centres[i] = x + labels[i].width / 2;
      x += labels[i].width + gap;
    }
  }
  return centres;
}

function left(group: { wanted: number; width: number }, width: number): number {
  return Math.max(0, Math.min(width - group.width, group.wanted - group.width / 2));
}
