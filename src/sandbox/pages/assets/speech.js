import { fill, own } from './dom.js';

/**
 * The used part of the Web Speech API, which TypeScript does not declare.
 *
 * @typedef {object} Recognition
 * @property {string} lang
 * @property {boolean} continuous
 * @property {((event: SpeechRecognitionEvent) => void) | null} onresult
 * @property {((event: SpeechRecognitionErrorEvent) => void) | null} onerror
 * @property {(() => void) | null} onend
 * @property {() => void} start
 * @property {() => void} stop
 *
 * @typedef {import('../script-data.ts').DetectionData} Data
 *
 * @typedef {object} Voice
 * @property {HTMLButtonElement} button Starts and stops.
 * @property {string} stopText The text of the button while it can stop.
 * @property {Data} data
 * @property {(words: string) => void} say Reports the progress.
 * @property {(words: string) => void} fail Reports a failure.
 */

/**
 * Makes a button start and stop dictation. Does nothing without speech recognition.
 *
 * @param {Voice & { heard: (words: string) => void }} voice
 * @returns {boolean} Whether speech recognition is available.
 */
export function setUpDictation({ button, stopText, data, say, fail, heard }) {
  const Recognition = recognitionOf(window);
  // Browsers allow the microphone only for https and loopback.
  if (!Recognition || !window.isSecureContext) return false;

  const startText = button.textContent ?? '';
  /** @type {Recognition | undefined} */
  let current;
  button.addEventListener('click', () => {
    if (current) {
      current.stop();
      return;
    }
    let outcome = data.texts.dictated;
    let failed = false;
    const recognition = new Recognition();
    current = recognition;
    recognition.lang = data.language;
    recognition.continuous = true;
    recognition.onresult = ({ resultIndex, results }) => {
      for (const result of [...results].slice(resultIndex)) {
        if (result.isFinal) heard(result[0]?.transcript.trim() ?? '');
      }
    };
    recognition.onerror = ({ error }) => {
      failed = error !== 'aborted';
      if (!failed) return;
      const { speechFailures: failures } = data;
      outcome = fill(own(failures, error) ?? failures.other, { code: error });
    };
    recognition.onend = () => {
      current = undefined;
      button.textContent = startText;
      say(failed ? '' : outcome);
      if (failed) fail(outcome);
    };
    recognition.start();
    button.textContent = stopText;
    say(data.texts.listening);
  });
  return true;
}

/**
 * Makes a button read a text aloud. Does nothing without speech synthesis.
 *
 * @param {Voice & { text: () => string }} voice
 * @returns {boolean} Whether speech synthesis is available.
 */
export function setUpReading({ button, stopText, data, say, fail, text }) {
  if (!('speechSynthesis' in window)) return false;

  const startText = button.textContent ?? '';
  /**
   * The current reading; a browser may report the end of an earlier one later.
   *
   * @type {{ left: number } | undefined}
   */
  let current;
  const end = () => {
    current = undefined;
    button.textContent = startText;
    say('');
  };
  button.addEventListener('click', () => {
    if (current) {
      end();
      speechSynthesis.cancel();
      return;
    }
    // Sentence by sentence: browsers stop in the middle of a long text.
    const utterances = sentences(text()).map((sentence) => new SpeechSynthesisUtterance(sentence));
    const reading = { left: utterances.length };
    current = reading;
    button.textContent = stopText;
    say(data.texts.reading);
    for (const utterance of utterances) {
      utterance.lang = /\p{Script=Han}/u.test(utterance.text) ? 'zh-CN' : 'en';
      utterance.onend = () => {
        reading.left -= 1;
        if (current === reading && reading.left === 0) end();
      };
      utterance.onerror = () => {
        // Also called for readings that were stopped.
        if (current !== reading) return;
        end();
        speechSynthesis.cancel();
        fail(data.texts.readFailed);
      };
      speechSynthesis.speak(utterance);
    }
  });
  // Browsers continue to speak after the user leaves the page.
  window.addEventListener('pagehide', () => speechSynthesis.cancel());
  return true;
}

/** @param {string} text */
function sentences(text) {
  const segmenter = new Intl.Segmenter(undefined, { granularity: 'sentence' });
  return [...segmenter.segment(text)].map(({ segment }) => segment);
}

/**
 * @param {object} of
 * @returns {(new () => Recognition) | undefined}
 */
function recognitionOf(of) {
  const { SpeechRecognition, webkitSpeechRecognition } =
    /** @type {Record<string, new () => Recognition>} */ (of);
  return SpeechRecognition ?? webkitSpeechRecognition;
}
