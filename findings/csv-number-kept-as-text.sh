#!/bin/sh
# Version: LibreOffice 7.4.7 (Debian libreoffice-calc-nogui 4:7.4.7-1+deb12u14), Gnumeric 1.12.55 (Debian gnumeric 1.12.55-1)
# What: How a CSV keeps the leading zero of a 12-digit bank reference. An apostrophe in front, Excel's mark for text, stays in
#   LibreOffice's cell as a character while Gnumeric drops it. A tab in front keeps the text in LibreOffice, and Gnumeric makes a
#   number without the zero of it. Quotes and no-break spaces help in neither. Both keep text after a word (UTR 0123...). They
#   differ about codes too: 1E234567 is 1.797E+308 in LibreOffice and text in Gnumeric; 8MAR2025 is text in LibreOffice and a day
#   in Gnumeric; two references joined by a comma are one number in Gnumeric only.
# Source: https://help.libreoffice.org/latest/en-US/text/shared/00/00000208.html
set -e
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
if ! command -v soffice >/dev/null || ! command -v ssconvert >/dev/null; then
  apt-get install -y -q --no-install-recommends libreoffice-calc-nogui gnumeric >/dev/null
fi
cat > look.py <<'PY'
import html, re, subprocess, sys

FORMS = {
    'plain': '012345678901',
    'apostrophe': "'012345678901",
    'tab': '\t012345678901',
    'no-break': '\u00a0012345678901',
    'word': 'UTR 012345678901',
    'huge': '1E234567',
    'day': '8MAR2025',
    'pair': '412345678901,412345678902',
}
with open('t.csv', 'w', newline='') as file:
    for name, cell in FORMS.items():
        file.write(f'"{name}","{cell}"\r\n')
quiet = {'stdout': subprocess.DEVNULL, 'stderr': subprocess.DEVNULL, 'check': True}
subprocess.run(['soffice', '-env:UserInstallation=file:///' + sys.argv[1].lstrip('/') + '/profile', '--headless',
                '--infilter=CSV:44,34,76,1', '--convert-to', 'fods', 't.csv'], **quiet)
subprocess.run(['ssconvert', '--import-type=Gnumeric_stf:stf_csvtab', '--export-type=Gnumeric_XmlIO:sax:0', 't.csv', 't.xml'], **quiet)
office, gnumeric = {}, {}
for row in re.findall(r'<table:table-row[^>]*>(.*?)</table:table-row>', open('t.fods').read(), re.S):
    cells = re.findall(r'<table:table-cell([^>]*)>(.*?)</table:table-cell>', row, re.S)
    if len(cells) == 2:
        (_, name), (facts, shown) = cells
        text = lambda part: html.unescape(re.sub('<[^>]*>', '', part)).strip()
        office[text(name)] = (re.search('value-type="([a-z]+)"', facts).group(1), text(shown))
cells = {}
for facts, text in re.findall(r'<gnm:Cell ([^>]*)>(.*?)</gnm:Cell>', open('t.xml').read(), re.S):
    fact = dict(re.findall(r'(\w+)="([^"]*)"', facts))
    kind = {'40': 'float', '60': 'string'}.get(fact.get('ValueType'), 'other')
    cells[int(fact['Row']), int(fact['Col'])] = (kind, html.unescape(text))
for index, name in enumerate(FORMS):
    gnumeric[name] = cells[index, 1]
for name in FORMS:
    print(f'{name:10}  LibreOffice {office[name]!s:45} Gnumeric {gnumeric[name]}')
kinds = lambda sheet: {name: kind for name, (kind, _) in sheet.items()}
seen = (
    kinds(office) == dict(plain='float', apostrophe='string', tab='string', word='string', huge='float', day='string', pair='string', **{'no-break': 'float'})
    and kinds(gnumeric) == dict(plain='float', apostrophe='string', tab='float', word='string', huge='string', day='float', pair='float', **{'no-break': 'float'})
    and office['apostrophe'][1] == "'012345678901" and gnumeric['apostrophe'][1] == '012345678901'
)
sys.exit(0 if seen else 1)
PY
python3 look.py "$folder"
