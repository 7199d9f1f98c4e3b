// Questions to the last result, answered as on the command line: `agon effect`, `agon next`.
import type { Outcome } from './answers';
import { byId, el, showError } from './parts';
import type { State } from './state';

export class AskView {
  private of = byId<HTMLSelectElement>('effect-of');
  private on = byId<HTMLSelectElement>('effect-on');
  private answered = byId('answered');

  constructor(private state: State) {
    byId('effect').addEventListener('click', () => void this.ask({ do: 'effect', of: this.of.value, on: this.on.value }));
    byId('next-step').addEventListener('click', () => void this.ask({ do: 'next' }));
  }

  private async ask(request: { do: string } & Record<string, unknown>): Promise<void> {
    if (this.state.isRunning) return;
    byId('ask-said').replaceChildren();
    this.answered.hidden = true;
    try {
      this.answered.textContent = await this.state.engine.ask<string>(request);
      this.answered.hidden = false;
    } catch (error) {
      showError(byId('ask-said'), error);
    }
  }

  // A result that was opened has no rows to estimate anything from.
  show(outcome: Outcome): void {
    byId('ask').hidden = !outcome.table;
    this.answered.hidden = true;
    byId('ask-said').replaceChildren();
    const names = Object.keys(outcome.result.data.kinds);
    for (const select of [this.of, this.on]) select.replaceChildren(...names.map((name) => el('option', { value: name }, name)));
    if (names[1] !== undefined) this.on.value = names[1];
  }
}
