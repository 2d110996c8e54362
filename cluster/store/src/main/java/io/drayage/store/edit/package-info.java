/** The changes of an open transaction, before they become a cargo. */
@NullMarked
package io.drayage.store.edit;

import org.jspecify.annotations.NullMarked;
