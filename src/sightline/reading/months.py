"""Month names, used to read dates and to recognize days written with a period."""

from typing import Final

from sightline.domain.names import fold

ENGLISH: Final = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September",
    "October", "November", "December",
)  # fmt: skip

# Folded names and customary short forms, a line a language.
_LINES: Final = (
    "january february march april may june july august september october november december",
    "jan feb mar apr may jun jul aug sep oct nov dec",
    "januar februar marz april mai juni juli august september oktober november dezember",
    "jan feb mrz apr mai jun jul aug sept okt nov dez",
    "janner feber maerz april mai juni juli august september oktober november dezember",
    "janvier fevrier mars avril mai juin juillet aout septembre octobre novembre decembre",
    "janv fevr mars avr mai juin juil aout sept oct nov dec",
    "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre",
    "ene feb mar abr may jun jul ago set oct nov dic",
    "janeiro fevereiro marco abril maio junho julho agosto setembro outubro novembro dezembro",
    "jan fev mar abr mai jun jul ago set out nov dez",
    "gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre",
    "gen feb mar apr mag giu lug ago set ott nov dic",
    "januari februari maart april mei juni juli augustus september oktober november december",
    "jan feb mrt apr mei jun jul aug sep okt nov dec",
    "januari februari mars april maj juni juli augusti september oktober november december",
    "januar februar marts april maj juni juli august september oktober november desember",
    "tammikuuta helmikuuta maaliskuuta huhtikuuta toukokuuta kesakuuta heinakuuta elokuuta"
    " syyskuuta lokakuuta marraskuuta joulukuuta",
    "stycznia lutego marca kwietnia maja czerwca lipca sierpnia wrzesnia pazdziernika listopada"
    " grudnia",
    "sty lut mar kwi maj cze lip sie wrz paz lis gru",
    "ledna unora brezna dubna kvetna cervna cervence srpna zari rijna listopadu prosince",
    "января февраля марта апреля мая июня июля августа сентября октября ноября декабря",
    "янв фев мар апр мая июн июл авг сен окт ноя дек",
    "ocak subat mart nisan mayis haziran temmuz agustos eylul ekim kasim aralik",
    "januar februar marcius aprilis majus junius julius augusztus szeptember oktober november"
    " december",
)
MONTHS: Final = {
    fold(word): number
    for line in _LINES
    for number, word in enumerate(line.split(), start=1)
}  # fmt: skip
"""The month's number by its folded name or short form, of all languages."""

NAMES: Final = "|".join(ENGLISH)
"""The English names as alternatives of a pattern."""
