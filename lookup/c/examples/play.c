/* Plays a perfect game of classic morpion against itself. Build and run it as README.md says. */
#include <morpion.h>
#include <stdio.h>

int main(void) {
    char message[256], text[64];
    MorpionTable *table;
    if (morpion_builtin("classic", &table, message, sizeof message)) {
        fprintf(stderr, "%s\n", message);
        return 1;
    }
    MorpionPosition position;
    MorpionMove move;
    int32_t found;
    morpion_start(table, &position);
    while (!morpion_best(table, &position, &move, &found, message, sizeof message) && found) {
        morpion_format(table, &position, text, sizeof text);
        printf("%s  ", text);
        morpion_format_move(table, &move, text, sizeof text);
        printf("%s\n", text);
        morpion_after(&position, &move, &position);
    }
    morpion_format(table, &position, text, sizeof text);
    printf("%s\n", text);
    morpion_close(table);
    return 0;
}
