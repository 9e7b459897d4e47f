/* SPDX-License-Identifier: Apache-2.0 */
/* Matching of bean and attribute names. The two kinds of regular expression that poll a
 * large cluster ("^(A|B)$", "_metric_*(A|B)$") are read as word lists, because matching
 * each of a million attribute names with regexec(3) would cost seconds; all others are
 * matched by it, as POSIX extended expressions. A selector owns its pieces. */
#include "tests/sim/object_name.h"

#include <stdlib.h>
#include <string.h>

#include "common/alloc.h"

static bool
glob(const char *pattern, size_t pattern_len, const char *text, size_t len)
{
    size_t p = 0, i = 0, star = SIZE_MAX, resume = 0;

    while (i < len) {
        if (p < pattern_len && pattern[p] == '*') {
            star = p++;
            resume = i;
        } else if (p < pattern_len && (pattern[p] == '?' || pattern[p] == text[i])) {
            p++;
            i++;
        } else if (star != SIZE_MAX) {
            p = star + 1;
            i = ++resume;
        } else {
            return false;
        }
    }
    while (p < pattern_len && pattern[p] == '*')
        p++;
    return p == pattern_len;
}

bool
object_name_ok(const char *pattern)
{
    const char *p = strchr(pattern, ':');

    if (!p)
        return false;
    do {
        size_t len = strcspn(++p, ",");
        const char *equals = memchr(p, '=', len);

        if (!(len == 1 && *p == '*') && (!equals || equals == p))
            return false;
        p += len;
    } while (*p == ',');
    return true;
}

/* The value of a key in the property list; NULL if it is not there. */
static const char *
property(const char *list, const char *key, size_t key_len, size_t *ret_len)
{
    while (list) {
        size_t len = strcspn(list, ",");

        if (len > key_len && strncmp(list, key, key_len) == 0 && list[key_len] == '=') {
            *ret_len = len - key_len - 1;
            return list + key_len + 1;
        }
        list = list[len] == ',' ? list + len + 1 : NULL;
    }
    return NULL;
}

static size_t
properties(const char *list)
{
    size_t n = 1;

    for (; *list; list++)
        n += *list == ',';
    return n;
}

bool
object_name_matches(const char *pattern, const char *name)
{
    const char *wanted = strchr(pattern, ':');
    const char *have = strchr(name, ':');
    bool open = false;
    size_t asked = 0;

    if (!glob(pattern, (size_t)(wanted - pattern), name, (size_t)(have - name)))
        return false;
    for (wanted++, have++; wanted;) {
        size_t len = strcspn(wanted, ",");
        const char *equals = memchr(wanted, '=', len);

        if (!equals) {
            open = true;
        } else {
            size_t key_len = (size_t)(equals - wanted);
            size_t value_len = 0;
            const char *value = property(have, wanted, key_len, &value_len);

            if (!value || !glob(equals + 1, len - key_len - 1, value, value_len))
                return false;
            asked++;
        }
        wanted = wanted[len] == ',' ? wanted + len + 1 : NULL;
    }
    return open || asked == properties(have);
}

static bool
word_char(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           c == '.';
}

/* Reads "A", "A|B" or "(A|B)" followed by "$" and the end. */
static bool
read_words(struct selector_piece *piece, const char *text)
{
    bool group = *text == '(';
    size_t len = strlen(text);
    char *words;

    if (len < 3 || text[len - 1] != '$' || (group && text[len - 2] != ')'))
        return false;
    text += group;
    len -= group ? 3 : 1;
    for (size_t i = 0; i < len; i++)
        if (!word_char(text[i]) && !(group && text[i] == '|'))
            return false;
    words = xmemdup0(text, len);
    piece->words = 1;
    for (size_t i = 0; i < len; i++) {
        if (words[i] == '|') {
            words[i] = '\0';
            piece->words++;
        }
    }
    piece->text = words;
    return true;
}

static bool
read_piece(struct selector_piece *piece, const char *text)
{
    static const char metric[] = "_metric_*";

    *piece = (struct selector_piece){0};
    if (*text == '^' && read_words(piece, text + 1)) {
        piece->whole = true;
        return true;
    }
    if (strncmp(text, metric, strlen(metric)) == 0 &&
        read_words(piece, text + strlen(metric))) {
        piece->suffix = true;
        return true;
    }
    if (regcomp(&piece->regex, text, REG_EXTENDED | REG_NOSUB) != 0)
        return false;
    piece->compiled = true;
    return true;
}

bool
selector_init(struct selector *s, const char *attribute, bool regex)
{
    char *text, *rest, *piece;
    size_t cap = 0;
    bool ok = true;

    *s = (struct selector){.kind = SELECT_ALL};
    if (!attribute)
        return true;
    s->one = xstrdup(attribute);
    s->kind = regex && strchr(attribute, '*') ? SELECT_PATTERN : SELECT_ONE;
    if (s->kind == SELECT_ONE)
        return true;
    rest = text = xstrdup(attribute);
    while (ok && (piece = strsep(&rest, ",")) != NULL) {
        xgrow(&s->pieces, &cap, s->count + 1, sizeof(*s->pieces));
        ok = read_piece(&s->pieces[s->count], piece);
        s->count += ok;
    }
    free(text);
    return ok;
}

void
selector_finish(struct selector *s)
{
    for (size_t i = 0; i < s->count; i++) {
        free(s->pieces[i].text);
        if (s->pieces[i].compiled)
            regfree(&s->pieces[i].regex);
    }
    free(s->pieces);
    free(s->one);
}

/* Equal, where a dot in the word stands for any character. */
static bool
word_equal(const char *word, size_t len, const char *text)
{
    for (size_t i = 0; i < len; i++)
        if (word[i] != '.' && word[i] != text[i])
            return false;
    return true;
}

/* Does the name end in "_metric", any underscores and the word? */
static bool
ends_in_metric(const char *name, size_t len, const char *word, size_t word_len)
{
    static const char metric[] = "_metric";
    size_t end = len - word_len;

    if (word_len > len || !word_equal(word, word_len, name + end))
        return false;
    while (end > 0 && name[end - 1] == '_')
        end--;
    return end >= strlen(metric) &&
           memcmp(name + end - strlen(metric), metric, strlen(metric)) == 0;
}

static bool
piece_matches(const struct selector_piece *piece, const char *name, size_t len)
{
    const char *word = piece->text;

    if (piece->compiled)
        return regexec(&piece->regex, name, 0, NULL, 0) == 0;
    for (size_t i = 0; i < piece->words; i++) {
        size_t word_len = strlen(word);

        if (piece->whole ? word_len == len && word_equal(word, len, name)
                         : ends_in_metric(name, len, word, word_len))
            return true;
        word += word_len + 1;
    }
    return false;
}

bool
selector_matches(const struct selector *s, const char *name, size_t len)
{
    if (s->kind == SELECT_ALL)
        return true;
    if (s->kind == SELECT_ONE)
        return strcmp(s->one, name) == 0;
    for (size_t i = 0; i < s->count; i++)
        if (piece_matches(&s->pieces[i], name, len))
            return true;
    return false;
}

/* Can a list of whole names match "Namespace_..."? */
static bool
may_be_region(const struct selector_piece *piece)
{
    const char *word = piece->text;

    for (size_t i = 0; i < piece->words; i++) {
        if (*word == 'N' || *word == '.')
            return true;
        word += strlen(word) + 1;
    }
    return false;
}

bool
selector_region_mask(const struct selector *s, const struct shape *shape,
                     uint64_t *ret_mask)
{
    uint64_t mask = s->kind == SELECT_ALL ? UINT64_MAX : 0;

    if (s->kind == SELECT_ONE)
        return false;
    for (size_t i = 0; i < s->count; i++) {
        const struct selector_piece *piece = &s->pieces[i];

        if (piece->compiled || (piece->whole && may_be_region(piece)))
            return false;
        for (size_t k = 0; k < shape->region_attribute_count; k++) {
            const char *suffix = shape->region_attributes[k].suffix;

            if (piece->suffix && piece_matches(piece, suffix, strlen(suffix)))
                mask |= UINT64_C(1) << k;
        }
    }
    *ret_mask = mask;
    return true;
}
