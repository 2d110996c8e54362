package io.drayage.bench;

import java.util.ArrayList;
import java.util.List;

/** Aligns cells: the first of a row to the left, the others to the right. For one thread. */
public final class TextTable {
  private static final List<String> LINE = List.of();

  private final List<List<String>> rows = new ArrayList<>();

  /** A table without rows. */
  public TextTable(List<String> headings) {
    rows.add(headings);
  }

  /** Adds a row of as many cells as there are headings. */
  public void add(List<String> cells) {
    rows.add(cells);
  }

  /** Adds a line across. */
  public void addLine() {
    rows.add(LINE);
  }

  /** The table, line by line. */
  public List<String> lines() {
    int[] widths = new int[rows.get(0).size()];
    for (List<String> row : rows) {
      for (int i = 0; i < row.size(); i++) {
        widths[i] = Math.max(widths[i], row.get(i).length());
      }
    }
    int total = -2;
    for (int width : widths) {
      total += width + 2;
    }
    List<String> lines = new ArrayList<>();
    for (List<String> row : rows) {
      lines.add(row.isEmpty() ? "-".repeat(total) : aligned(row, widths));
    }
    return lines;
  }

  private static String aligned(List<String> row, int[] widths) {
    StringBuilder line = new StringBuilder();
    for (int i = 0; i < widths.length; i++) {
      String cell = row.get(i);
      String padding = " ".repeat(widths[i] - cell.length());
      line.append(i == 0 ? cell + padding : "  " + padding + cell);
    }
    return line.toString();
  }
}
