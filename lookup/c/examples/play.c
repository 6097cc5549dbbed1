/* Plays a perfect game against itself: of the named game, or of classic morpion. README.md shows how to build it. */
#include <morpion.h>
#include <stdio.h>

int main(int count, char **arguments) {
    char text[64];
    MorpionTable *table;
    if (morpion_open_game(count > 1 ? arguments[1] : "classic", MORPION_CACHE, &table)) {
        fprintf(stderr, "%s\n", morpion_last_message());
        return 1;
    }
    MorpionPosition position;
    MorpionMove move;
    int32_t found;
    morpion_start(table, &position);
    for (int turn = 0; turn < 50; turn++) {   /* a draw can continue forever */
        int32_t error = morpion_best_move(table, &position, &move, &found);
        if (error) fprintf(stderr, "%s\n", morpion_last_message());
        if (error || !found) break;
        morpion_format(table, &position, text, sizeof text);
        printf("%s  ", text);
        morpion_format_move(table, &move, text, sizeof text);
        printf("%s\n", text);
        morpion_after(table, &position, &move, &position);
    }
    morpion_format(table, &position, text, sizeof text);
    printf("%s\n", text);
    morpion_close(table);
    return 0;
}
