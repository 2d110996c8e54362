package io.drayage.duckdb.file;

import java.time.YearMonth;

/** Reads the text of a date or time from left to right. Not thread-safe. */
final class MomentText {
  private static final int MAX_FRACTION_DIGITS = 9;
  private static final int SECONDS_OF_MINUTE = 60;
  private static final int SECONDS_OF_HOUR = 3_600;
  private static final int MAX_OFFSET_SECONDS = 16 * SECONDS_OF_HOUR;
  private static final long NANOS_OF_SECOND = 1_000_000_000;
  private static final int[] DAYS = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};

  private final byte[] bytes;
  private final int to;
  private int at;

  int year;
  int month;
  int day;
  int hour;
  int minute;
  int second;
  private int nanos;
  private int fractionDigits;
  private int offset;
  boolean hasDate;
  boolean hasTime;
  private boolean hasOffset;

  MomentText(Cell text) {
    this.bytes = text.bytes;
    this.at = text.from;
    this.to = text.to;
  }

  boolean atEnd() {
    return at == to;
  }

  /** Returns the byte here; 0 at the end. */
  int peek() {
    return at < to ? bytes[at] : 0;
  }

  boolean skip(int letter) {
    if (peek() != letter || at == to) {
      return false;
    }
    at++;
    return true;
  }

  /** Reads a number of {@code min} to {@code max} digits; -1 if there is none. */
  int number(int min, int max) {
    int value = 0;
    int start = at;
    while (at < to && at - start < max && bytes[at] >= '0' && bytes[at] <= '9') {
      value = 10 * value + bytes[at++] - '0';
    }
    return at - start < min ? -1 : value;
  }

  /** Reads the fraction of a second; all digits after nine must be zeros. */
  boolean fraction() {
    int start = at;
    nanos = 0;
    fractionDigits = 0;
    while (at < to && bytes[at] >= '0' && bytes[at] <= '9') {
      int digit = bytes[at++] - '0';
      if (at - start <= MAX_FRACTION_DIGITS) {
        nanos = 10 * nanos + digit;
      } else if (digit != 0) {
        return false;
      }
      if (digit != 0) {
        fractionDigits = at - start;
      }
    }
    for (int i = at - start; i < MAX_FRACTION_DIGITS; i++) {
      nanos *= 10;
    }
    return at > start;
  }

  /** Reads {@code Z}, {@code +02}, {@code +02:00} or {@code +0200}. */
  boolean offset() {
    hasOffset = true;
    if (skip('Z')) {
      offset = 0;
      return true;
    }
    int sign = peek() == '-' ? -1 : 1;
    if (!skip('+') && !skip('-')) {
      return false;
    }
    int hours = number(2, 2);
    boolean hasMinutes = skip(':') || (peek() >= '0' && peek() <= '9');
    int minutes = hasMinutes ? number(2, 2) : 0;
    offset = sign * (hours * SECONDS_OF_HOUR + minutes * SECONDS_OF_MINUTE);
    return hours >= 0 && minutes >= 0 && minutes < 60 && Math.abs(offset) < MAX_OFFSET_SECONDS;
  }

  /** Stores the result, if the text was read to its end and such a day and time exist. */
  boolean end(Moment into) {
    if (!atEnd() || !(hasDate || hasTime) || (hasOffset && !(hasDate && hasTime))) {
      return false;
    }
    into.clear();
    if (hasDate) {
      if (year < 1 || month < 1 || month > 12 || day < 1 || day > daysOfMonth()) {
        return false;
      }
      into.epochDay = epochDay();
    }
    if (hasTime) {
      if (hour < 0 || hour > 23 || minute < 0 || minute > 59 || second < 0 || second > 59) {
        return false;
      }
      into.nanoOfDay =
          (hour * SECONDS_OF_HOUR + minute * SECONDS_OF_MINUTE + second) * NANOS_OF_SECOND + nanos;
      into.fractionDigits = fractionDigits;
    }
    into.offsetSeconds = offset;
    into.shape =
        hasOffset
            ? Moment.Shape.WITH_OFFSET
            : hasDate && hasTime
                ? Moment.Shape.DATE_AND_TIME
                : hasDate ? Moment.Shape.DATE : Moment.Shape.TIME;
    return true;
  }

  private int daysOfMonth() {
    return month == 2 ? YearMonth.of(year, 2).lengthOfMonth() : DAYS[month - 1];
  }

  /** Returns days since 1970, like {@link java.time.LocalDate#toEpochDay}, without an object. */
  private long epochDay() {
    long shifted = month > 2 ? year : year - 1;
    long era = Math.floorDiv(shifted, 400);
    long yearOfEra = shifted - era * 400;
    long dayOfYear = (153L * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
    long dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear;
    return era * 146_097 + dayOfEra - 719_468;
  }
}
