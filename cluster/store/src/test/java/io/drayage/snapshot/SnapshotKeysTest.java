package io.drayage.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import io.drayage.snapshot.SnapshotKeys.Place;
import java.util.Locale;
import org.junit.jupiter.api.Test;

final class SnapshotKeysTest {
  @Test
  void areTheSameInEveryLocale() {
    Locale before = Locale.getDefault();
    try {
      for (String tag : new String[] {"ar-EG", "fa-IR", "bn-BD", "de-DE"}) {
        Locale.setDefault(Locale.forLanguageTag(tag));
        String key = SnapshotKeys.Place.entry(1234567).key();
        assertThat(key).as(tag).isEqualTo("snapshots/00000000000001234567.commit");
        assertThat(SnapshotKeys.place(key)).isEqualTo(new Place(true, 1234567));
        assertThat(SnapshotKeys.loading(7)).startsWith("loading/00000000000000000007-");
        assertThat(SnapshotKeys.loadingTimestamp(SnapshotKeys.loading(7))).isEqualTo(7);
      }
    } finally {
      Locale.setDefault(before);
    }
  }
}
