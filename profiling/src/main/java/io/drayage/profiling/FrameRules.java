package io.drayage.profiling;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Attributes a sample to a rule, by the frames of its stack. The rules are in {@code
 * frame-rules.txt}, which also describes their syntax.
 *
 * <p>A sample belongs to exactly one rule, or to {@link #UNKNOWN}, so all shares add up to the
 * whole. In addition, a sample may be {@link #under} any number of rules, if their code is anywhere
 * in its stack.
 *
 * <p>Not thread-safe: matches are cached.
 */
public final class FrameRules {
  /** The rule of samples that no other rule matches. */
  public static final Rule UNKNOWN = new Rule("unknown", RuleKind.OTHER, "no rule knows it");

  private static final Pattern HEADER =
      Pattern.compile("\\[([a-z0-9-]+)] (study|ours|other): (.+)");
  private static final Pattern LINE =
      Pattern.compile("(role|cpu|kernel|leaf|last|wait|under)\\s+(.+)");

  /** The origin of a suspicion. */
  public enum RuleKind {
    /** The study suspects it. */
    STUDY,
    /** This project suspects it. */
    OURS,
    /** Nobody suspects it. */
    OTHER
  }

  /**
   * One rule.
   *
   * @param id its name in results
   * @param label a readable name
   */
  public record Rule(String id, RuleKind kind, String label) {}

  /**
   * @param number its place in the file
   * @param when the first word of the line
   * @param caller must be further out in the stack; null for any caller
   */
  private record Line(
      int number, Rule rule, String when, Pattern frame, @Nullable Pattern caller) {}

  private final List<Rule> rules = new ArrayList<>();
  private final List<Line> lines = new ArrayList<>();
  private final Map<String, Rule> byRole = new HashMap<>();
  private final Map<Frame, List<Line>> byFrame = new HashMap<>();
  private final Map<List<Frame>, Map<Boolean, Rule>> byStack = new HashMap<>();

  private FrameRules() {}

  /** Reads the rules of {@code frame-rules.txt}. */
  public static FrameRules ofDrayage() {
    return parse(ResourceLines.of("frame-rules.txt"));
  }

  /**
   * Reads rules.
   *
   * @throws IllegalArgumentException if a line is malformed, or names a rule twice
   */
  static FrameRules parse(List<String> text) {
    FrameRules parsed = new FrameRules();
    Rule current = null;
    for (String line : text) {
      Matcher header = HEADER.matcher(line);
      Matcher rest = LINE.matcher(line);
      if (header.matches()) {
        current =
            new Rule(
                header.group(1),
                RuleKind.valueOf(header.group(2).toUpperCase(Locale.ROOT)),
                header.group(3));
        parsed.add(current);
      } else if (rest.matches() && current != null) {
        parsed.add(current, rest.group(1), rest.group(2).strip());
      } else {
        throw new IllegalArgumentException(
            "'%s' is neither a rule nor one of its lines".formatted(line));
      }
    }
    return parsed;
  }

  private void add(Rule rule) {
    if (rules.stream().anyMatch(known -> known.id.equals(rule.id))) {
      throw new IllegalArgumentException("rule '%s' is listed twice".formatted(rule.id));
    }
    rules.add(rule);
  }

  private void add(Rule rule, String when, String pattern) {
    if (when.equals("role")) {
      byRole.putIfAbsent(pattern, rule);
      return;
    }
    String[] parts = pattern.split(" > ", 2);
    Pattern frame = ResourceLines.glob(parts[parts.length - 1].strip());
    Pattern caller = parts.length == 1 ? null : ResourceLines.glob(parts[0].strip());
    lines.add(new Line(lines.size(), rule, when, frame, caller));
  }

  /** Returns all rules, in the order of the file. */
  public List<Rule> rules() {
    return List.copyOf(rules);
  }

  /** Checks whether a part of the rule's code is visible only in frames of the kernel. */
  public boolean needsKernel(Rule rule) {
    return lines.stream().anyMatch(line -> line.rule.equals(rule) && line.when.equals("kernel"));
  }

  /** Returns the rule of a sample; {@link #UNKNOWN} if there is none. */
  public Rule of(Sample sample) {
    Rule ofRole = byRole.get(sample.role());
    if (ofRole != null) {
      return ofRole;
    }
    return byStack
        .computeIfAbsent(sample.stack(), stack -> new HashMap<>())
        .computeIfAbsent(sample.waiting(), waiting -> of(sample.stack(), waiting));
  }

  private Rule of(List<Frame> stack, boolean waiting) {
    if (waiting) {
      return firstOfFile(stack, "wait");
    }
    for (int i = stack.size() - 1; i >= 0; i--) {
      for (Line line : linesOf(stack.get(i))) {
        boolean applies =
            switch (line.when) {
              case "cpu" -> true;
              case "kernel" -> stack.get(i).isKernel();
              case "leaf" -> i == stack.size() - 1;
              default -> false;
            };
        if (applies && isCalled(line, stack, i)) {
          return line.rule;
        }
      }
    }
    return firstOfFile(stack, "last");
  }

  /** Returns the rule of the first line in the file that fits any frame. */
  private Rule firstOfFile(List<Frame> stack, String when) {
    int first = lines.size();
    for (int i = 0; i < stack.size(); i++) {
      for (Line line : linesOf(stack.get(i))) {
        if (line.when.equals(when) && isCalled(line, stack, i)) {
          first = Math.min(first, line.number);
        }
      }
    }
    return first == lines.size() ? UNKNOWN : lines.get(first).rule;
  }

  private static boolean isCalled(Line line, List<Frame> stack, int index) {
    Pattern caller = line.caller;
    return caller == null
        || stack.subList(0, index).stream()
            .anyMatch(frame -> caller.matcher(frame.name()).matches());
  }

  private List<Line> linesOf(Frame frame) {
    return byFrame.computeIfAbsent(
        frame,
        unseen ->
            unseen.isNameless()
                ? List.of()
                : lines.stream()
                    .filter(line -> line.frame.matcher(unseen.name()).matches())
                    .toList());
  }

  /** Returns the rules whose code is anywhere in a sample's stack, by their {@code under} lines. */
  public Set<Rule> under(Sample sample) {
    Set<Rule> under = new LinkedHashSet<>();
    Rule ofRole = byRole.get(sample.role());
    if (ofRole != null) {
      under.add(ofRole);
    }
    for (int i = 0; i < sample.stack().size(); i++) {
      for (Line line : linesOf(sample.stack().get(i))) {
        if (line.when.equals("under") && isCalled(line, sample.stack(), i)) {
          under.add(line.rule);
        }
      }
    }
    return under;
  }
}
