package io.drayage.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.drayage.cargo.ColumnSchema;
import io.drayage.cargo.ColumnType;
import io.drayage.cargo.ColumnValues;
import io.drayage.cargo.IllegalTextException;
import io.drayage.cargo.TableSchema;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class EditedTextsTest {
  private final MemoryStore store = new MemoryStore();

  @BeforeEach
  void createTable() {
    store.createTable(TableSchema.of("t", ColumnSchema.nullable("c", ColumnType.STRING)), 10);
  }

  @Test
  void refusesHalfACharacterByTableColumnAndRow() {
    Transaction transaction = Transaction.on(store.snapshot());

    assertThatThrownBy(() -> transaction.update("t", "c", 7, "a\uD800"))
        .isInstanceOf(IllegalTextException.class)
        .hasMessage(
            "the text in row 7 of column 'c' of table 't' has an unpaired surrogate, U+D800, at character 1");
    assertThatThrownBy(() -> transaction.insert("t", Map.of("c", "\uDC00")))
        .isInstanceOf(IllegalTextException.class)
        .hasMessageStartingWith("the text in row 10 of column 'c' of table 't' has");
  }

  @Test
  void nothingOfATextIsLeftInTheNullThatReplacesIt() {
    Transaction transaction = Transaction.on(store.snapshot());
    long row = transaction.insert("t", Map.of("c", "secret"));
    transaction.update("t", "c", row, null);

    ColumnValues inserted = transaction.toCargo().tables().get(0).insertedColumns().get(0).values();
    assertThat(inserted.isNull(0)).isTrue();
    assertThat(inserted.texts(0).length(0)).isZero();
  }
}
