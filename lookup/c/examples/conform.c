/* Reads positions from standard input, `game,position` a line, and writes `value,plies,draw,over,best,error`. This tests the C
 * interface; play.c is an example for users.
 *
 *     conform builtin FOLDER                     built-in tables, and FOLDER/GAME.morpion for other games
 *     conform choose FOLDER                      the same; reads `game,position,errors,random` and writes the move that is chosen
 *     conform open|map|source FOLDER END CACHE   FOLDER/GAME + END, opened in this way with a cache of CACHE bytes */
#include <morpion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *value_name(int32_t value) {
    return value == MORPION_WIN ? "win" : value == MORPION_LOSS ? "loss" : "draw";
}

static void answer(const MorpionTable *table, const char *text) {
    static const char *over_names[] = {"", "line", "full", "stuck", "own-line", "few"};
    static const char *draw_names[] = {"", "end", "cycle"};
    MorpionPosition position;
    MorpionScore score, again;
    static MorpionMove moves[36 * 36 * 36]; /* also of games in which lines take pieces */
    const size_t room = sizeof moves / sizeof *moves;
    size_t count = 0, perfect = 0;
    int32_t over = 0, many = 0;
    int32_t error = morpion_parse(table, text, &position);
    if (!error) error = morpion_probe(table, &position, &score);
    if (!error) error = morpion_over(table, &position, &over);
    if (!error)
        error = morpion_moves(table, &position, moves, room, &count, &perfect);
    if (error) {
        printf(",,,,,%s\n", morpion_last_message()[0] ? morpion_error_name(error) : "no message");
        return;
    }
    if (morpion_probe_many(table, &position, 1, &again, &many) || many || memcmp(&score, &again, sizeof score))
        puts("many differs from one");
    printf("%s,", value_name(score.value));
    if (score.plies >= 0) printf("%d", score.plies);
    printf(",%s,%s,", draw_names[score.draw], over_names[over]);
    for (size_t i = 0; i < perfect; i++) {
        char name[32];
        morpion_format_move(table, &moves[i], name, sizeof name);
        printf("%s%s", i ? " " : "", name);
    }
    printf(",\n");
}

/* The move that a random number chooses; `text` is `position,errors,random`. */
static void choose(const MorpionTable *table, char *text) {
    char *errors = strchr(text, ','), *random = errors ? strchr(errors + 1, ',') : NULL, name[32] = "";
    MorpionPosition position;
    MorpionMove move;
    int32_t found = 0;
    if (!random) return;
    *errors++ = 0, *random++ = 0;
    if (morpion_parse(table, text, &position)
        || morpion_choose(table, &position, strtod(errors, NULL), strtod(random, NULL), &move, &found))
        puts("error");
    if (found) morpion_format_move(table, &move, name, sizeof name);
    puts(name);
}

/* A source over a file. It seeks and reads, so only one thread may use it. */
static int32_t read_file(void *user, uint64_t offset, uint8_t *into, size_t length) {
    FILE *file = user;
    if (fseek(file, (long)offset, SEEK_SET)) return 1;
    return fread(into, 1, length, file) == length ? 0 : 2;
}

/* Opens FOLDER/GAME + END; the file of a source is left open in `*file`. */
static int32_t open_as(const char *how, const char *path, size_t cache, MorpionTable **table, FILE **file) {
    if (!strcmp(how, "open")) return morpion_open(path, cache, table);
    if (!strcmp(how, "map")) return morpion_map(path, cache, table);
    *file = fopen(path, "rb");
    if (!*file || fseek(*file, 0, SEEK_END)) return MORPION_ERROR_IO;
    MorpionSource source = {.user = *file, .size = (uint64_t)ftell(*file), .read_at = read_file};
    return morpion_open_source(&source, cache, table);
}

int main(int argc, char **argv) {
    char line[512], path[1024], name[65], opened[65] = "";
    MorpionTable *table = NULL;
    FILE *file = NULL;
    int choosing = argc == 3 && !strcmp(argv[1], "choose");
    int builtin = choosing || (argc == 3 && !strcmp(argv[1], "builtin"));
    if (!builtin && argc != 5) return 2;
    size_t cache = builtin ? MORPION_CACHE : strtoul(argv[4], NULL, 10);
    while (fgets(line, sizeof line, stdin)) {
        line[strcspn(line, "\n")] = 0;
        char *text = strchr(line, ',');
        if (!text) return 2;
        *text++ = 0;
        if (strcmp(line, opened)) {
            morpion_close(table);
            if (file) fclose(file);
            table = NULL, file = NULL;
            snprintf(path, sizeof path, "%s/%s%s", argv[2], line, builtin ? ".morpion" : argv[3]);
            int32_t error = builtin ? morpion_builtin(line, &table) : MORPION_ERROR_NAME;
            if (error == MORPION_ERROR_NAME)
                error = open_as(builtin ? "map" : argv[1], path, cache, &table, &file);
            if (error || morpion_check_sums(table)) {
                fprintf(stderr, "%s: %s\n", path, morpion_last_message());
                return 2;
            }
            if (!morpion_name(table, name, sizeof name)) return 2;
            strcpy(opened, name);
        }
        choosing ? choose(table, text) : answer(table, text);
    }
    morpion_close(table);
    if (file) fclose(file);
    return 0;
}
