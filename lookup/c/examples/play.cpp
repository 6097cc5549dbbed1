// A perfect player against one who errs in one of five moves, in C++ with destructors and exceptions.
#include <cstdlib>
#include <iostream>
#include <memory>
#include <morpion.h>
#include <stdexcept>
#include <string>
#include <vector>

class Table {
public:
    explicit Table(const std::string &game) : table(nullptr, morpion_close) {
        MorpionTable *opened = nullptr;
        const int32_t error = morpion_open_game(game.c_str(), MORPION_CACHE, &opened);
        table.reset(opened);
        check(error);
    }

    MorpionPosition start() const {
        MorpionPosition position;
        check(morpion_start(table.get(), &position));
        return position;
    }

    // All moves, the best first; none if the game is over.
    std::vector<MorpionMove> moves(const MorpionPosition &position) {
        std::size_t count = 0;
        check(morpion_moves(table.get(), &position, nullptr, 0, &count, nullptr));
        std::vector<MorpionMove> moves(count);
        check(morpion_moves(table.get(), &position, moves.data(), count, &count, nullptr));
        return moves;
    }

    // A move of a player who errs with this probability.
    MorpionMove choose(const MorpionPosition &position, double errors) {
        MorpionMove move;
        int32_t found = 0;
        check(morpion_choose(table.get(), &position, errors, drand48(), &move, &found));
        if (!found) throw std::logic_error("the game is over");
        return move;
    }

    MorpionPosition after(const MorpionPosition &position, const MorpionMove &move) {
        MorpionPosition after;
        check(morpion_after(table.get(), &position, &move, &after));
        return after;
    }

    std::string text(const MorpionPosition &position) const {
        std::string text(morpion_format(table.get(), &position, nullptr, 0), '\0');
        morpion_format(table.get(), &position, &text[0], text.size() + 1);
        return text;
    }

private:
    std::unique_ptr<MorpionTable, decltype(&morpion_close)> table;

    void check(int32_t error) const {
        if (error) throw std::runtime_error(std::string(morpion_error_name(error)) + ": " + morpion_last_message());
    }
};

int main(int count, char **arguments) try {
    Table table(count > 1 ? arguments[1] : "tapatan");
    MorpionPosition position = table.start();
    for (int turn = 0; turn < 50 && !table.moves(position).empty(); turn++) {
        std::cout << table.text(position) << '\n';
        const MorpionMove move = table.choose(position, turn % 2 ? 0.2 : 0.0);
        position = table.after(position, move);
    }
    std::cout << table.text(position) << '\n';
} catch (const std::exception &error) {
    std::cerr << error.what() << '\n';
    return 1;
}
