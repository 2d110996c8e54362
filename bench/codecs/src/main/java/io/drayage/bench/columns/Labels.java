package io.drayage.bench.columns;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Places labels beside points, so that none lies on another or on a point. Not thread-safe. */
final class Labels {
  private static final double CHAR_WIDTH = 7.6;
  private static final double HEIGHT = 14;
  private static final double POINT = 8;
  private static final int MAX_RINGS = 12;
  private static final double RING = 9;
  private static final int DIRECTIONS = 16;

  private final Box within;
  private final List<Box> taken = new ArrayList<>();

  /** A rectangle, by its corners. */
  record Box(double left, double top, double right, double bottom) {
    boolean overlaps(Box other) {
      return left < other.right && other.left < right && top < other.bottom && other.top < bottom;
    }

    boolean contains(Box other) {
      return left <= other.left
          && top <= other.top
          && right >= other.right
          && bottom >= other.bottom;
    }

    double middle() {
      return (left + right) / 2;
    }
  }

  /** Labels that lie within a rectangle. */
  Labels(Box within) {
    this.within = within;
  }

  /** Keeps labels away from a point. */
  void avoid(double x, double y) {
    taken.add(new Box(x - POINT, y - POINT, x + POINT, y + POINT));
  }

  /** The nearest free place for the label of a point, or the nearest at all if there is none. */
  Box place(String label, double x, double y) {
    double width = label.length() * CHAR_WIDTH;
    @Nullable Box nearest = null;
    for (int ring = 0; ring < MAX_RINGS; ring++) {
      for (int direction = 0; direction < DIRECTIONS; direction++) {
        double angle = 2 * Math.PI * direction / DIRECTIONS;
        double distance = POINT + 1 + ring * RING;
        double middleX = x + Math.cos(angle) * (distance + width / 2);
        double middleY = y + Math.sin(angle) * (distance + HEIGHT / 2);
        Box box =
            new Box(
                middleX - width / 2,
                middleY - HEIGHT / 2,
                middleX + width / 2,
                middleY + HEIGHT / 2);
        if (within.contains(box)) {
          nearest = nearest == null ? box : nearest;
          if (taken.stream().noneMatch(box::overlaps)) {
            taken.add(box);
            return box;
          }
        }
      }
    }
    return Objects.requireNonNullElse(
        nearest, new Box(x, y - HEIGHT / 2, x + width, y + HEIGHT / 2));
  }
}
