interface Found {
  readonly text: string;
  readonly line: number;
  readonly isWord: boolean;
}

export function textsOfModule(name: string, source: string): Found[];
export function stringsOfModule(name: string, source: string): string[];
export function textsOfJson(source: string): Found[];
export function textsOfTopics(source: string): Found[];
