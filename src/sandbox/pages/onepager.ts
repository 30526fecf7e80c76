import { html } from 'hono/html';
import { copyable } from '../../server/pages/copyable.ts';
import type { Page } from '../../server/pages/frame.ts';
import { type Html, prose } from '../../server/pages/html.ts';
import type { Text, View } from '../../server/pages/view.ts';
import CATEGORIES from './texts/categories.json' with { type: 'json' };
import ONEPAGER from './texts/onepager.json' with { type: 'json' };

/** An introduction to the service. */
export function onepager({ t, link, origin }: View): Page {
  return {
    title: ONEPAGER.title,
    summary: ONEPAGER.summary,
    styles: ['site.css'],
    content: html`
      <p class="actions">
        <a class="button primary" href="${link('/')}">${t(ONEPAGER.toCheck)}</a>
        <a class="button" href="${link('/api-docs')}">${t(ONEPAGER.toDocs)}</a>
      </p>
      ${section('levels', t(ONEPAGER.levels), levels(t))}
      ${section('categories', t(ONEPAGER.categories), categories(t))}
      ${section('pipeline', t(ONEPAGER.pipeline), pipeline(t, origin))}
      ${section('limits', t(ONEPAGER.limits), html`<p>${t(ONEPAGER.limitsList)}</p>`)}
      ${section(
        'next',
        t(ONEPAGER.next),
        html`<ul class="plain">
          <li><a href="${link('/')}">${t(ONEPAGER.toCheck)}</a></li>
          <li><a href="${link('/console')}">${t(ONEPAGER.toConsole)}</a></li>
          <li><a href="${link('/api-docs')}">${t(ONEPAGER.toDocs)}</a></li>
        </ul>`,
      )}`,
  };
}

function section(id: string, title: string, content: Html): Html {
  return html`
      <section aria-labelledby="${id}">
        <h2 id="${id}">${title}</h2>
        ${content}
      </section>`;
}

function levels(t: View['t']): Html {
  return html`<p>${t(ONEPAGER.levelsIntro)}</p>
        <div class="columns levels">
          ${diagram(t)}
          <dl>
            <dt>${t(ONEPAGER.ruleLevel)}</dt>
            <dd>${t(ONEPAGER.ruleLevelText)}</dd>
            <dt>${t(ONEPAGER.modelLevel)}</dt>
            <dd>${t(ONEPAGER.modelLevelText)}</dd>
            <dt>${t(ONEPAGER.externalLevel)}</dt>
            <dd>${t(ONEPAGER.externalLevelText)}</dd>
            <dt>${t(ONEPAGER.result)}</dt>
            <dd>${t(ONEPAGER.resultText)}</dd>
          </dl>
        </div>`;
}

/** A narrow, unscaled drawing: its words stay legible on a phone. */
function diagram(t: View['t']): Html {
  const box = (x: number, y: number, width: number, title: Text, detail?: Text) => html`
            <rect x="${x}" y="${y}" width="${width}" height="64" rx="6"/>
            <text x="${x + width / 2}" y="${y + (detail ? 28 : 37)}">${t(title)}</text>
            ${
              detail &&
              html`<text class="detail" x="${x + width / 2}" y="${y + 47}">${t(detail)}</text>`
            }`;
  return html`
          <svg class="diagram" role="img" aria-labelledby="diagram-title diagram-text"
            viewBox="0 0 280 304" width="280" height="304">
            <title id="diagram-title">${t(ONEPAGER.diagram)}</title>
            <desc id="diagram-text">${t(ONEPAGER.diagramText)}</desc>
            <path d="M66 65v47m-5-7 5 7 5-7M214 92v20m-5-7 5 7 5-7M66 92h148M66 185v47m-5-7 5 7 5-7M214 185v47m-5-7 5 7 5-7"/>
            ${box(1, 1, 278, ONEPAGER.diagramReply)}
            ${box(1, 120, 130, ONEPAGER.ruleLevel, ONEPAGER.diagramRules)}
            ${box(149, 120, 130, ONEPAGER.diagramModel, ONEPAGER.diagramModelKind)}
            ${box(1, 239, 278, ONEPAGER.result, ONEPAGER.diagramResult)}
          </svg>`;
}

function categories(t: View['t']): Html {
  return html`<p>${t(ONEPAGER.categoriesIntro)}</p>
        <dl class="grid">
          ${Object.values(CATEGORIES).map(
            ({ name, effect }) => html`<div><dt>${t(name)}</dt><dd>${t(effect)}</dd></div>`,
          )}
        </dl>`;
}

function pipeline(t: View['t'], origin: string): Html {
  const environment = `MOP_DETECT_URL=${origin}`;
  const example = (id: string, title: Text, command: string) =>
    copyable(id, html`<h3 id="${id}-title">${t(title)}</h3>`, command, t);
  return html`<p>${prose(t(ONEPAGER.pipelineText))}</p>
        ${example('one', ONEPAGER.pipelineOne, `${environment} mop detect --fail-on high @reply.txt`)}
        ${example(
          'many',
          ONEPAGER.pipelineMany,
          `${environment} \\\n  mop detect --batch replies.jsonl --fail-on high \\\n  --junit detect.xml --sarif detect.sarif`,
        )}
        ${example('wait', ONEPAGER.pipelineWait, `${environment} mop health --wait 30`)}`;
}
