/* Tests the errors of the C interface: `faults PLAIN PACKED`, with two files of the same table of at most a megabyte. */
#include <morpion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int wrong = 0;

#define NOT_OPENED ((MorpionTable *)&wrong)

/* Checks that opening failed with the expected error, and that its message contains `text`. */
static void fails(int line, int32_t found, int32_t expected, const MorpionTable *out, const char *text) {
    if (found == expected && !out && strstr(morpion_last_message(), text)) return;
    fprintf(stderr, "line %d: found %s (%d), expected %s; \"%s\", expected \"%s\"; out is %s\n", line, morpion_error_name(found), found,
            morpion_error_name(expected), morpion_last_message(), text, out ? "set" : "NULL");
    wrong = 1;
}

#define FAILS(call, expected, text)      \
    do {                                 \
        MorpionTable *out = NOT_OPENED;  \
        int32_t found = call;            \
        fails(__LINE__, found, expected, out, text); \
    } while (0)

#define IS(condition)                                                \
    do {                                                             \
        if (!(condition)) {                                          \
            fprintf(stderr, "line %d: %s\n", __LINE__, #condition); \
            wrong = 1;                                               \
        }                                                            \
    } while (0)

/* Bytes in memory. Reading fails after `left` reads. */
struct Failing {
    const uint8_t *bytes;
    int left, after_the_end;
    uint64_t size;
};

static int32_t read_failing(void *user, uint64_t offset, uint8_t *into, size_t length) {
    struct Failing *failing = user;
    if (offset + length > failing->size) failing->after_the_end = 1;
    if (failing->left-- <= 0) return -7;
    memcpy(into, failing->bytes + offset, length);
    return 0;
}

static uint8_t *contents(const char *path, size_t *length) {
    static uint8_t bytes[2][1 << 20];
    static int used = 0;
    FILE *file = fopen(path, "rb");
    if (!file || used == 2) exit(2);
    *length = fread(bytes[used], 1, sizeof bytes[used], file);
    fclose(file);
    return bytes[used++];
}

/* Every question to a table fails while its source fails, and is answered again afterwards. */
static void sources_that_fail(const uint8_t *bytes, size_t length) {
    struct Failing failing = {.bytes = bytes, .size = length};
    MorpionSource source = {.user = &failing, .size = length, .read_at = read_failing};
    int reads = 0;
    MorpionTable *table = NULL;
    for (;; reads++) {
        failing.left = reads;
        int32_t found = morpion_open_source(&source, 0, &table);
        if (!found) break;
        fails(__LINE__, found, MORPION_ERROR_IO, table, "read_at returned -7");
        if (reads > 100) return;
    }
    IS(reads > 1);
    MorpionPosition start;
    MorpionScore score;
    failing.left = 0;
    IS(morpion_start(table, &start) == MORPION_OK);
    IS(morpion_probe(table, &start, &score) == MORPION_ERROR_IO);
    IS(strstr(morpion_last_message(), "read_at returned -7"));
    IS(morpion_check_sums(table) == MORPION_ERROR_IO);
    failing.left = 1 << 30;
    IS(morpion_probe(table, &start, &score) == MORPION_OK);
    IS(morpion_check_sums(table) == MORPION_OK);
    IS(!failing.after_the_end);
    morpion_close(table);
}

int main(int argc, char **argv) {
    if (argc != 3) return 2;
    char version[32];
    snprintf(version, sizeof version, "%d.%d.%d", MORPION_VERSION_MAJOR, MORPION_VERSION_MINOR, MORPION_VERSION_PATCH);
    IS(!strcmp(version, morpion_version()));
    IS(!morpion_last_message()[0]);

    size_t plain_length, packed_length;
    uint8_t *plain = contents(argv[1], &plain_length), *packed = contents(argv[2], &packed_length);
    FAILS(morpion_open("nowhere/x.morpion", MORPION_CACHE, &out), MORPION_ERROR_IO, "nowhere/x.morpion: No such file");
    FAILS(morpion_map("nowhere/\xff.morpion", MORPION_CACHE, &out), MORPION_ERROR_IO, "No such file");
    FAILS(morpion_open(NULL, MORPION_CACHE, &out), MORPION_ERROR_ARGUMENT, "NULL");
    FAILS(morpion_map(NULL, MORPION_CACHE, &out), MORPION_ERROR_ARGUMENT, "NULL");
    FAILS(morpion_builtin("clasic", &out), MORPION_ERROR_NAME, "clasic");
    FAILS(morpion_open_game("clasic", MORPION_CACHE, &out), MORPION_ERROR_NAME, "clasic: no table in ");
    FAILS(morpion_open_game("../swap", MORPION_CACHE, &out), MORPION_ERROR_NAME, "../swap");
    FAILS(morpion_open_game("", MORPION_CACHE, &out), MORPION_ERROR_NAME, "no ");
    FAILS(morpion_open_game("\xff", MORPION_CACHE, &out), MORPION_ERROR_ARGUMENT, "UTF-8");
    FAILS(morpion_open_game(NULL, MORPION_CACHE, &out), MORPION_ERROR_ARGUMENT, "NULL");
    FAILS(morpion_from_bytes(NULL, 3, MORPION_CACHE, &out), MORPION_ERROR_ARGUMENT, "NULL");
    FAILS(morpion_from_bytes((const uint8_t *)"nothing", 7, MORPION_CACHE, &out), MORPION_ERROR_MAGIC, "");
    FAILS(morpion_from_bytes(plain, plain_length - 1, MORPION_CACHE, &out), MORPION_ERROR_LENGTH, "expected");
    FAILS(morpion_from_bytes(packed, packed_length - 1, MORPION_CACHE, &out), MORPION_ERROR_PACKED, "expected");
    FAILS(morpion_open_source(NULL, 0, &out), MORPION_ERROR_ARGUMENT, "NULL");
    MorpionSource nothing = {0};
    FAILS(morpion_open_source(&nothing, 0, &out), MORPION_ERROR_ARGUMENT, "read_at");
    IS(morpion_open(argv[1], MORPION_CACHE, NULL) == MORPION_ERROR_ARGUMENT);

    sources_that_fail(plain, plain_length);
    sources_that_fail(packed, packed_length);

    /* A damaged frame of a packed table is found when it is read. */
    MorpionTable *table;
    packed[30] ^= 1;
    IS(morpion_from_bytes(packed, packed_length, MORPION_CACHE, &table) ||
       morpion_check_sums(table) == MORPION_ERROR_PACKED);
    morpion_close(table);

    /* Built-in tables by number, moves as text, an invalid side. */
    char name[32];
    size_t count = 0;
    for (; morpion_builtin_name(count, name, sizeof name); count++) {
        IS(morpion_builtin(name, &table) == MORPION_OK);
        morpion_close(table);
    }
    IS(count >= 10 && morpion_builtin_name(0, NULL, 0) == strlen("classic"));
    IS(morpion_builtin("swap", &table) == MORPION_OK);
    static const char *texts[] = {"b2", "a1-b3", "b2xc3", "a1-b2xc3", "a1>a3", "pass"};
    MorpionMove move;
    for (int i = 0; i < 6; i++) {
        IS(morpion_parse_move(table, texts[i], &move) == MORPION_OK);
        IS(morpion_format_move(table, &move, name, sizeof name) == strlen(texts[i]) && !strcmp(name, texts[i]));
    }
    IS(morpion_parse_move(table, "z9", &move) == MORPION_ERROR_MOVE && strstr(morpion_last_message(), "z9"));
    MorpionPosition position;
    IS(morpion_start(table, &position) == MORPION_OK && morpion_format(table, &position, name, sizeof name) > 0);
    position.side = 'z';
    IS(morpion_format(table, &position, name, sizeof name) == 0);
    IS(morpion_after(table, &position, &move, &position) == MORPION_ERROR_ARGUMENT && strstr(morpion_last_message(), "side"));
    IS(morpion_start(NULL, &position) == MORPION_ERROR_ARGUMENT && strstr(morpion_last_message(), "NULL"));
    MorpionPosition both[2] = {{.mover = 0, .waiter = 0, .side = 'x'}, {.mover = 1, .waiter = 1, .side = 'x'}};
    MorpionScore scores[2];
    int32_t codes[2];
    IS(morpion_probe_many(table, both, 2, scores, codes) == MORPION_ERROR_OVERLAP);
    IS(codes[0] == MORPION_OK && codes[1] == MORPION_ERROR_OVERLAP && strstr(morpion_last_message(), "position 1: "));
    IS(morpion_probe_many(table, both, 2, NULL, codes) == MORPION_ERROR_ARGUMENT && strstr(morpion_last_message(), "NULL"));

    /* An imperfect move, a line of play, symmetric forms. Nothing is written beyond the room for results. */
    MorpionMove moves[8], best;
    MorpionPosition forms[MORPION_MAX_SYMMETRIES];
    int32_t found = 0;
    size_t cycle = 0;
    IS(morpion_cells(table) == 9 && morpion_rows(table) == 3 && morpion_columns(table) == 3);
    IS(!morpion_cells(NULL) && !morpion_rows(NULL) && !morpion_columns(NULL));
    IS(morpion_parse(table, "X../.O./..X o", &position) == MORPION_OK);
    IS(morpion_best_move(table, &position, &best, &found) == MORPION_OK && found);
    IS(morpion_choose(table, &position, 0.5, 0.5, &move, &found) == MORPION_OK && found);
    IS(move.from == best.from && move.to == best.to && move.score.value == MORPION_DRAW);
    IS(morpion_choose(table, &position, 0.5, 0.499, &move, &found) == MORPION_OK && found);
    IS(move.score.value == MORPION_LOSS);
    memset(moves, 77, sizeof moves);
    IS(morpion_line(table, &position, moves, 2, &count, &cycle) == MORPION_OK);
    IS(count > 4 && cycle > 0 && cycle <= count && moves[0].to == best.to && moves[1].to < 9 && moves[2].to == 77);
    memset(forms, 77, sizeof forms);
    IS(morpion_orbit(table, &position, forms, 1, &count) == MORPION_OK);
    IS(count == 2 && forms[0].side == 'o' && forms[1].side == 77);
    memset(moves, 77, sizeof moves);
    IS(morpion_moves(table, &position, moves, 2, &count, NULL) == MORPION_OK);
    IS(count > 4 && moves[1].take == MORPION_NO_TAKE && moves[1].push == 0 && moves[2].to == 77);
    IS(morpion_orbit(table, &position, NULL, 0, &count) == MORPION_OK && count == 2);
    IS(morpion_orbit(table, &position, NULL, 1, &count) == MORPION_ERROR_ARGUMENT);
    IS(morpion_line(table, &position, NULL, 0, &count, NULL) == MORPION_ERROR_ARGUMENT);
    IS(morpion_parse(table, "XXX/OO./... o", &position) == MORPION_OK);
    IS(morpion_choose(table, &position, 0.5, 0.5, &move, &found) == MORPION_OK && !found);
    IS(morpion_line(table, &position, moves, 8, &count, &cycle) == MORPION_OK && !count && !cycle);
    position.mover |= position.waiter;
    IS(morpion_line(table, &position, moves, 8, &count, &cycle) == MORPION_ERROR_OVERLAP);
    IS(morpion_orbit(table, &position, forms, 8, &count) == MORPION_ERROR_OVERLAP);
    morpion_close(table);

    for (int32_t code = 0; code < 100; code++) IS(morpion_error_name(code)[0]);
    IS(!strcmp(morpion_error_name(MORPION_ERROR_PACKED), "packed"));
    IS(!strcmp(morpion_error_name(12345), "unknown"));
    return wrong;
}
