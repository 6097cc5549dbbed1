/* Reads positions from standard input, `game,position` a line, and writes `value,plies,draw,over,best,error`; games that are
 * not built in are looked for in the folder given as argument. The test of the C interface; see play.c for a start. */
#include <morpion.h>
#include <stdio.h>
#include <string.h>

static const char *value_name(int32_t value) {
    return value == MORPION_WIN ? "win" : value == MORPION_LOSS ? "loss" : "draw";
}

static int by_cells(const MorpionMove *a, const MorpionMove *b) {
    int first = a->from * 256 + a->to, second = b->from * 256 + b->to;
    return first - second;
}

static void answer(const MorpionTable *table, const char *text) {
    static const char *over_names[] = {"", "line", "full", "stuck"};
    static const char *draw_names[] = {"", "end", "cycle"};
    MorpionPosition position;
    MorpionScore score, again;
    MorpionMove moves[MORPION_MAX_MOVES];
    size_t count = 0, perfect = 0;
    int32_t over = 0, many = 0;
    char message[256] = "";
    int32_t error = morpion_parse(table, text, &position, message, sizeof message);
    if (!error) error = morpion_probe(table, &position, &score, message, sizeof message);
    if (!error) error = morpion_over(table, &position, &over, message, sizeof message);
    if (!error)
        error = morpion_moves(table, &position, moves, MORPION_MAX_MOVES, &count, &perfect, message, sizeof message);
    if (error) {
        printf(",,,,,%s\n", message[0] ? morpion_error_name(error) : "no message");
        return;
    }
    if (morpion_probe_many(table, &position, 1, &again, &many) || many || memcmp(&score, &again, sizeof score))
        puts("many differs from one");
    printf("%s,", value_name(score.value));
    if (score.plies >= 0) printf("%d", score.plies);
    printf(",%s,%s,", draw_names[score.draw], over_names[over]);
    for (size_t i = 1; i < perfect; i++) /* the perfect ones in the order of cells */
        for (size_t j = i; j > 0 && by_cells(&moves[j], &moves[j - 1]) < 0; j--) {
            MorpionMove swapped = moves[j];
            moves[j] = moves[j - 1];
            moves[j - 1] = swapped;
        }
    for (size_t i = 0; i < perfect; i++) {
        char name[16];
        morpion_format_move(table, &moves[i], name, sizeof name);
        printf("%s%s", i ? " " : "", name);
    }
    printf(",\n");
}

int main(int argc, char **argv) {
    char line[512], path[1024], message[256], name[65], opened[65] = "";
    MorpionTable *table = NULL;
    while (fgets(line, sizeof line, stdin)) {
        line[strcspn(line, "\n")] = 0;
        char *text = strchr(line, ',');
        if (!text) return 2;
        *text++ = 0;
        if (strcmp(line, opened)) {
            morpion_close(table);
            table = NULL;
            if (morpion_builtin(line, &table, message, sizeof message) == MORPION_ERROR_NAME && argc > 1) {
                snprintf(path, sizeof path, "%s/%s.morpion", argv[1], line);
                if (morpion_map(path, &table, message, sizeof message)) {
                    fprintf(stderr, "%s: %s\n", path, message);
                    return 2;
                }
            }
            if (morpion_check_sums(table, NULL, 0) || !morpion_name(table, name, sizeof name)) return 2;
            strcpy(opened, name);
        }
        answer(table, text);
    }
    morpion_close(table);
    return 0;
}
