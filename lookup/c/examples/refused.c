/* Reads paths of files from standard input and writes the name of the error with which each is refused. This tests the C interface;
 * play.c is an example for users.
 *
 *     refused           writes four errors for each file, one for each way to open it and to check its sums
 *     refused open      writes one error for each file, of opening it alone
 *     refused source    opens files of any size by a callback; writes at last the greatest memory of the process in bytes */
#include <morpion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The name of the error of opening a table or of checking its sums. */
static const char *result(int32_t error, MorpionTable **table) {
    if (!error) error = morpion_check_sums(*table);
    morpion_close(*table);
    *table = NULL;
    return error ? morpion_error_name(error) : "opened";
}

/* A source over a file. */
static int32_t read_file(void *user, uint64_t offset, uint8_t *into, size_t length) {
    FILE *file = user;
    if (fseek(file, (long)offset, SEEK_SET)) return 1;
    return fread(into, 1, length, file) == length ? 0 : 2;
}

static const char *from_source(FILE *file, size_t cache) {
    MorpionTable *table = NULL;
    if (fseek(file, 0, SEEK_END)) return "not a file";
    MorpionSource source = {.user = file, .size = (uint64_t)ftell(file), .read_at = read_file};
    return result(morpion_open_source(&source, cache, &table), &table);
}

static const char *from_bytes(FILE *file) {
    static uint8_t bytes[1 << 16];
    MorpionTable *table = NULL;
    rewind(file);
    size_t length = fread(bytes, 1, sizeof bytes, file);
    return result(morpion_from_bytes(bytes, length, MORPION_CACHE, &table), &table);
}

/* Greatest memory of this process so far, in bytes; Linux only. */
static unsigned long long peak(void) {
    char line[256];
    unsigned long long kilobytes = 0;
    FILE *status = fopen("/proc/self/status", "r");
    while (status && fgets(line, sizeof line, status))
        if (sscanf(line, "VmHWM: %llu", &kilobytes) == 1) break;
    if (status) fclose(status);
    return kilobytes << 10;
}

int main(int argc, char **argv) {
    char path[4096];
    int only_source = argc == 2 && !strcmp(argv[1], "source");
    int only_open = argc == 2 && !strcmp(argv[1], "open");
    while (fgets(path, sizeof path, stdin)) {
        path[strcspn(path, "\n")] = 0;
        if (only_open) {
            MorpionTable *table = NULL;
            int32_t error = morpion_open(path, MORPION_CACHE, &table);
            puts(error ? morpion_error_name(error) : "opened");
            morpion_close(table);
            continue;
        }
        FILE *file = fopen(path, "rb");
        if (!file) return 2;
        printf("%s", from_source(file, 0));
        if (!only_source) {
            MorpionTable *table = NULL;
            printf(" %s", result(morpion_open(path, MORPION_CACHE, &table), &table));
            printf(" %s", result(morpion_map(path, MORPION_CACHE, &table), &table));
            printf(" %s", from_bytes(file));
        }
        puts("");
        fclose(file);
    }
    if (only_source) printf("%llu\n", peak());
    return 0;
}
